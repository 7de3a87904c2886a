"""Tiers: what each place that can answer a question says, and in which order they are asked."""

"""The schema of Agent Trace 0.1 records, as its specification prints it (CC BY 4.0)."""

from __future__ import annotations

from typing import Any

TRACE_RECORD: dict[str, Any] = {
    "type": "object",
    "required": ["version", "id", "timestamp", "files"],
    "properties": {
        "version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+$"},
        "id": {"type": "string", "format": "uuid"},
        "timestamp": {"type": "string", "format": "date-time"},
        "vcs": {
            "type": "object",
            "required": ["type", "revision"],
            "properties": {
                "type": {"enum": ["git", "jj", "hg", "svn"]},
                "revision": {"type": "string"},
            },
        },
        "tool": {"type": "object", "properties": {"name": {"type": "string"}}},
        "files": {"type": "array", "items": {"$ref": "#/$defs/file"}},
        "metadata": {"type": "object"},
    },
    "$defs": {
        "file": {
            "type": "object",
            "required": ["path", "conversations"],
            "properties": {
                "path": {"type": "string"},
                "conversations": {"type": "array", "items": {"$ref": "#/$defs/conversation"}},
            },
        },
        "conversation": {
            "type": "object",
            "required": ["ranges"],
            "properties": {
                "url": {"type": "string", "format": "uri"},
                "contributor": {
                    "type": "object",
                    "required": ["type"],
                    "properties": {
                        "type": {"enum": ["human", "ai", "mixed", "unknown"]},
                        "model_id": {"type": "string", "maxLength": 250},
                    },
                },
                "ranges": {"type": "array", "items": {"$ref": "#/$defs/range"}},
                "related": {
                    "type": "array",
                    "items": {"type": "object", "required": ["type", "url"]},
                },
            },
        },
        "range": {
            "type": "object",
            "required": ["start_line", "end_line"],
            "properties": {
                "start_line": {"type": "integer", "minimum": 1},
                "end_line": {"type": "integer", "minimum": 1},
                "content_hash": {"type": "string"},
            },
        },
    },
}

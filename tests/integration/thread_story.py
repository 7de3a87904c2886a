"""A story of five sessions and a person's own hand, on two branches: for tests of the thread.

It is told by agents whose transcripts are made here, and by real clients (`tests/clients/thread.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from integration.thread_made import AgentAtWork, Repository

#: Begins a session: repository, home and branch -> what has the methods of `AgentAtWork`.
Begins = Callable[..., Any]
PAY = '''"""Payments: totals, taxes and receipts."""

from decimal import Decimal

RATE = Decimal("0.19")


def total_of(items):
    """Add up the prices of items."""
    result = Decimal(0)
    for item in items:
        result += item.price * item.count
    return result


def tax_of(items):
    """Return the tax on items."""
    return total_of(items) * RATE
'''
STORE = '''"""Keeps receipts in memory."""


class ReceiptStore:
    """Receipts by number."""

    def __init__(self):
        self.receipts = {}

    def add(self, receipt):
        if receipt.number in self.receipts:
            raise KeyError(receipt.number)
        self.receipts[receipt.number] = receipt
        return receipt

    def find(self, number):
        receipt = self.receipts.get(number)
        if receipt is None:
            return None
        return receipt
'''
MAIL = '''"""Sends receipts by mail."""

from string import Template

SUBJECT = Template("Your receipt $number")


def subject_of(receipt):
    """Return the subject line of a receipt's mail."""
    return SUBJECT.substitute(number=receipt.number)


def send(receipt, outbox):
    """Put a receipt into the outbox."""
    outbox.append((subject_of(receipt), receipt))
    return len(outbox)
'''


def main_branch(repository: Repository, home: Path, begins: Begins = AgentAtWork) -> None:
    """Two sessions on main: payments, then receipts; a person changes a line in between."""
    first = begins(repository, home)
    first.prompt("Write a module for payments with totals and a tax of 19 percent")
    first.write("src/pay.py", PAY)
    first.commit("Add payments")
    first.prompt("The tax must be rounded to cents, half up")
    first.edit(
        "src/pay.py",
        "    return total_of(items) * RATE\n",
        "    exact = total_of(items) * RATE\n    return exact.quantize(CENT, rounding=ROUND_HALF_UP)\n",
    )
    first.edit(
        "src/pay.py",
        'RATE = Decimal("0.19")\n',
        'RATE = Decimal("0.19")\nCENT = Decimal("0.01")\n',
    )
    first.refused("src/pay.py", "RATE", "TAX_RATE_OF_GERMANY")
    first.edit("src/pay.py", "import Decimal\n", "import ROUND_HALF_UP, Decimal\n")
    first.commit("Round the tax to cents")
    first.ends()
    repository.passes(7200)
    pay = (repository.root / "src/pay.py").read_text("utf-8")
    repository.by_hand(
        "src/pay.py",
        pay.replace('"""Add up the prices of items."""', '"""Add up prices by hand."""'),
    )
    repository.git("commit", "-am", "Say it shorter")
    repository.passes(7200)
    second = begins(repository, home)
    second.prompt("We need to keep receipts somewhere, in memory is enough for now")
    second.write("src/store.py", STORE)
    second.prompt("yes")
    second.edit(
        "src/store.py",
        "        if receipt is None:\n            return None\n",
        '        if receipt is None:\n            raise LookupError(f"no receipt {number}")\n',
    )
    second.shell("sed -i 's/Keeps receipts in memory/Keeps receipts, in memory/' src/store.py")
    second.commit("Keep receipts")
    second.ends()
    repository.passes(3600)


FEES = """# Fees

The bank takes two percent of each payment.
A payment by invoice costs a fixed sum in every country.
Refunds give the fee of the payment back, too.
"""
FORGET = '''
    def forget(self, number):
        """Forget a receipt whose customer asked for it."""
        self.forgotten = number
        del self.receipts[number]
'''


def fees_on_main(repository: Repository, home: Path, begins: Begins = AgentAtWork) -> None:
    """A session on main that writes by a shell, and an edit that fails: a person then types it."""
    fifth = begins(repository, home)
    fifth.prompt("List what the bank takes for each kind of payment")
    fifth.shell(f"mkdir -p docs && cat > docs/fees.md <<'END'\n{FEES}END", "docs/fees.md")
    fifth.commit("List the fees of payments")
    fifth.prompt("A receipt must be forgotten if its customer asks for that")
    fifth.refused("src/store.py", "    def nobody_has_this(self):\n", FORGET)
    fifth.edit(
        "src/store.py",
        "        return receipt\n\n    def find(self, number):\n",
        "        return receipt\n\n    def find(self, number):\n"
        '        """Find a receipt that nobody has forgotten."""\n',
    )
    fifth.edit("docs/fees.md", "of the payment back, too.\n", "of its payment back, if asked.\n")
    fifth.commit("Say what can be found")
    fifth.ends()
    repository.passes(300)
    store = (repository.root / "src/store.py").read_text("utf-8")
    repository.by_hand("src/store.py", store + FORGET)
    repository.git("commit", "-am", "Forget receipts")
    repository.passes(3600)


def feature_branch(repository: Repository, home: Path, begins: Begins = AgentAtWork) -> None:
    """Two sessions on a branch: mail, then a whole rewriting of its file and of the payments."""
    repository.git("switch", "--quiet", "--create", "mail-4")
    third = begins(repository, home, "mail-4")
    third.prompt("Send the receipt by mail, with its number in the subject")
    third.write("src/mail.py", MAIL)
    third.commit("Send receipts by mail")
    third.prompt("Customers without an address must not stop the others")
    third.edit(
        "src/mail.py",
        '    """Put a receipt into the outbox."""\n',
        '    """Put a receipt into the outbox, if it has an address."""\n'
        "    if not receipt.address:\n        return len(outbox)\n",
    )
    third.commit("Leave out receipts without an address")
    third.ends()
    repository.passes(5000)
    fourth = begins(repository, home, "mail-4")
    fourth.prompt("Add a way to send many receipts at once and log how many went out")
    mail = (repository.root / "src/mail.py").read_text("utf-8")
    fourth.write(
        "src/mail.py",
        mail.replace(
            "from string import Template\n", "import logging\nfrom string import Template\n"
        )
        + '\n\ndef send_all(receipts, outbox):\n    """Send many receipts."""\n'
        "    for receipt in receipts:\n        send(receipt, outbox)\n"
        '    logging.info("%d receipts went out", len(outbox))\n    return len(outbox)\n',
    )
    fourth.commit("Send many receipts at once")
    fourth.prompt("Refunds: a negative total must not be taxed")
    fourth.edit(
        "src/pay.py",
        "    exact = total_of(items) * RATE\n",
        "    if total_of(items) < 0:\n        return Decimal(0)\n    exact = total_of(items) * RATE\n",
    )
    fourth.commit("Do not tax refunds")
    fourth.ends()
    repository.passes(600)

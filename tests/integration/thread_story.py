"""A story of four sessions and a person's own hand, on two branches: for tests of the thread."""

from __future__ import annotations

from pathlib import Path

from integration.thread_made import AgentAtWork, Repository

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


def main_branch(repository: Repository, home: Path) -> None:
    """Two sessions on main: payments, then receipts; a person changes a line in between."""
    first = AgentAtWork(repository, home)
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
    repository.passes(7200)
    pay = (repository.root / "src/pay.py").read_text("utf-8")
    repository.by_hand(
        "src/pay.py",
        pay.replace('"""Add up the prices of items."""', '"""Add up prices by hand."""'),
    )
    repository.git("commit", "-am", "Say it shorter")
    repository.passes(7200)
    second = AgentAtWork(repository, home)
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
    repository.passes(3600)


def feature_branch(repository: Repository, home: Path) -> None:
    """Two sessions on a branch: mail, then a whole rewriting of its file and of the payments."""
    repository.git("switch", "--quiet", "--create", "mail-4")
    third = AgentAtWork(repository, home, "mail-4")
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
    repository.passes(5000)
    fourth = AgentAtWork(repository, home, "mail-4")
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
    repository.passes(600)

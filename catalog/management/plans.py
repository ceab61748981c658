"""What commands that plan before they apply have in common: how one asks for either, and how they end."""

from argparse import ArgumentParser

WOULD_CHANGE = 3
"""How a command ends with --check where its plan would change something."""


def add_ways(parser: ArgumentParser) -> None:
    """`--apply` and `--check`, of which one may be said."""
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--apply", action="store_true", help="apply the plan; without it, it is only shown")
    ways.add_argument(
        "--check",
        action="store_true",
        help=f"end with {WOULD_CHANGE} if the plan would change something; nothing is applied",
    )

"""The page of published runs: printed, simulated, difference."""

from pathlib import Path

from sinbin.simulate.run_card_page import page, read_cards, simulate_cards

DATA = Path(__file__).parents[1] / "docs" / "data" / "run-cards.json"


def run_cards_page() -> str:
    """Return the text of `docs/run-cards.md`."""
    cards = read_cards(DATA)
    return page(simulate_cards(cards), cards["source"])

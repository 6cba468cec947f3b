"""The pages that show figures: each between two marks, and what is written around them stays."""

from __future__ import annotations

from pathlib import Path

from shedjoin._files import write
from shedjoin.sim.experiments._figure import Claim, Drawn, Effort, Figure

IMAGES = Path("images") / "experiments"


def fill(folder: Path, figure: Figure, drawn: Drawn, effort: Effort) -> None:
    """Puts a figure where the page of its kind has its marks, or else at the end."""
    file = folder / f"{figure.page}.md"
    text = file.read_text() if file.exists() else f"# {figure.page.capitalize()}\n"
    write(file, filled(text, figure.id, block(figure, drawn, effort)).encode())


def filled(page: str, figure_id: str, shown: str) -> str:
    """A page with what is between the marks of a figure replaced."""
    start, end = marks(figure_id)
    if start in page:
        before, _, rest = page.partition(start)
        after = rest.partition(end)[2]
    else:
        before, after = page.rstrip("\n") + "\n\n", "\n"
    return f"{before}{start}\n{shown}\n{end}{after}"


def marks(figure_id: str) -> tuple[str, str]:
    return f"<!-- {figure_id} -->", f"<!-- /{figure_id} -->"


def block(figure: Figure, drawn: Drawn, effort: Effort) -> str:
    """The title, the picture, and a line for each claim."""
    heading = "###" if figure.page == "experiments" else "####"
    said = [_told(claim) for claim in drawn.claims]
    picture = f"![{figure.title}]({(IMAGES / f'{figure.id}.png').as_posix()})"
    return "\n\n".join([f"{heading} {figure.title}", figure.setting + effort.note, picture, "\n".join(said)])


def _told(claim: Claim) -> str:
    """A line; a claim that does not hold with the reason, if one is known."""
    if claim.holds:
        return f"- {claim.said} **Seen**: {claim.measured}."
    return f"- {claim.said} **Not seen**: {claim.measured}. {claim.why}".rstrip()

"""The pictures of the figures, by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from shedjoin._errors import ShedJoinError
from shedjoin._files import write
from shedjoin.sim.experiments._bands import Bands

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL import Image
except ImportError as missing:
    raise ShedJoinError("SHEDJOIN_SIM_NEEDS", 'Plots need matplotlib. Run: pip install "shedjoin[sim]"') from missing

if TYPE_CHECKING:
    from shedjoin.sim.experiments._bands import Band

_DOTS_AN_INCH = 90
_MARKERS = "osD^vPX*<>"


def panels(count: int = 1, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """An empty picture with panels beside each other."""
    columns = -(-count // rows)
    size = (6.4 if count == 1 else 1 + 3.6 * columns, 4 if rows == 1 else 3.2 * rows)
    figure = Figure(figsize=size, layout="constrained")
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(count)]


def lines(axes: Axes, bands: Bands, x: str, y: str, title: str = "", legend: bool = True) -> None:
    """A line with its 95 % band for each label."""
    for i, (label, band) in enumerate(bands.items()):
        line(axes, label, band, i)
    dressed(axes, x, y, title)
    if legend:
        axes.legend(fontsize=8)


def line(axes: Axes, label: str, band: Band, colour: int, dashed: bool = False) -> None:
    marker, style = ("", "--") if dashed else (_MARKERS[colour % len(_MARKERS)], "-")
    axes.plot(band.xs, band.means, style, marker=marker, markersize=3.5, color=f"C{colour}", label=label)
    low = [mean - reach for mean, reach in zip(band.means, band.reaches, strict=True)]
    high = [mean + reach for mean, reach in zip(band.means, band.reaches, strict=True)]
    axes.fill_between(band.xs, low, high, color=f"C{colour}", alpha=0.18, linewidth=0)


def bars(axes: Axes, groups: Sequence[str], bands: Bands, y: str, legend: bool = True) -> None:
    """Beside each other, one for each label, with its 95 % interval; the xs of the bands are the groups."""
    width = 0.84 / len(bands)
    for i, (label, band) in enumerate(bands.items()):
        places = [g + (i - (len(bands) - 1) / 2) * width for g in range(len(groups))]
        axes.bar(places, band.means, width, yerr=band.reaches, color=f"C{i}", label=label, error_kw={"linewidth": 1})
    axes.set_xticks(range(len(groups)), groups)
    dressed(axes, "", y)
    if legend:
        axes.legend(fontsize=8)


def dressed(axes: Axes, x: str, y: str, title: str = "") -> None:
    axes.set(xlabel=x, ylabel=y)
    if title:
        axes.set_title(title, loc="left", fontsize=10)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def save(figure: Figure, file: Path) -> None:
    """In 64 colours: a third of the bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=_DOTS_AN_INCH)
    small = BytesIO()
    Image.open(drawn).convert("RGB").quantize(64).save(small, "png", optimize=True)
    write(file, small.getvalue())

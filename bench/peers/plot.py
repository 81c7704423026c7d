"""Time of a question by the number of chunks: a panel for keywords and one for vectors, both axes logarithmic."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.contender import CONTENDERS, KINDS

TITLES = {"keywords": "keywords", "vectors": "vectors, every one compared"}
OWN_COLOUR = "#1f6feb"
# Okabe and Ito's colours, which colour-blind readers tell apart; markers differ as well.
COLOURS = ("#8c959f", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8b5a2b")
LINE_STYLES = ("-", "--", ":", "-.")
MARKERS = ("s", "^", "v", "D", "P", "X", "*", "<")


def plot(figures: Sequence[dict[str, Any]], caption: str, target: Path) -> None:
    """Draws to `target` (.svg or .png); the same figures give the same file."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "coldseek"
    from matplotlib import pyplot

    kinds = [kind for kind in KINDS if any(one["kind"] == kind for one in figures)]
    figure, panels = pyplot.subplots(
        len(kinds), figsize=(8.4, 3.7 * len(kinds)), layout="constrained", sharex=True, squeeze=False
    )
    for axes, kind in zip(panels[:, 0], kinds, strict=True):
        draw(axes, kind, [one for one in figures if one["kind"] == kind])
    panels[-1, 0].set_xlabel("chunks")
    figure.suptitle(caption, fontsize=9, x=0.01, ha="left")
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)


def draw(axes: Any, kind: str, figures: Sequence[dict[str, Any]]) -> None:
    sizes: dict[tuple[str, int], set[int]] = {}
    for one in figures:
        sizes.setdefault((one["texts"], one["dimensions"]), set()).add(one["chunks"])
    # One size shows no growth; where all are such, they are shown.
    variants = sorted(variant for variant, found in sizes.items() if len(found) > 1) or sorted(sizes)
    others = 0
    lines: list[tuple[float, Any]] = []
    for contender in CONTENDERS:
        if contender.kind != kind:
            continue
        own = contender.name == "coldseek"
        colour = OWN_COLOUR if own else COLOURS[others % len(COLOURS)]
        marker = "o" if own else MARKERS[others % len(MARKERS)]
        others += not own
        for (texts, dimensions), style in zip(variants, itertools.cycle(LINE_STYLES)):
            points = sorted(
                (one["chunks"], one["median"] * 1000)
                for one in figures
                if (one["name"], one["texts"], one["dimensions"]) == (contender.name, texts, dimensions)
            )
            if not points:
                continue
            chunks, times = zip(*points, strict=True)
            of = f"{texts} texts" if kind == "keywords" else f"{dimensions} dimensions"
            (line,) = axes.plot(
                chunks,
                times,
                color=colour,
                linestyle=style,
                marker=marker,
                markersize=5,
                linewidth=2.6 if own else 1.3,
                zorder=3 if own else 2,
                label=f"{contender.name} ({contender.what}{', ' + of if len(variants) > 1 else ''})",
            )
            lines.append((times[-1], line))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylabel("milliseconds for a question, median")
    axes.set_title(TITLES[kind], fontsize=10, loc="left")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.grid(which="major", color="#d0d7de", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    # From the slowest to the fastest, as the lines end.
    ordered = [line for _, line in sorted(lines, key=lambda pair: -pair[0])]
    axes.legend(handles=ordered, fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))

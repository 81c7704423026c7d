"""A page between parsing and chunking: sections that hold blocks."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, code block or table, as text with its Markdown block syntax.

    `kind` is "text", "code" or "table". `text` has no prefixes: `lead` stands before its first line (a list
    marker, say) and `indent` before the others. `tight` blocks follow the one before on the next line,
    others after an empty line. For code, `text` is the code and `fence` and `info` its fence and info
    string; for a table, the first two lines of `text` are its header. `terms` are those of the definitions that
    the block is part of and that are no sections, outermost first.
    """

    kind: str
    text: str
    lead: str = ""
    indent: str = ""
    tight: bool = False
    fence: str = ""
    info: str = ""
    terms: tuple[str, ...] = ()

    def repeated_terms(self, *, begun: bool) -> str:
        """What a piece that begins with this block, or inside it if `begun`, says before it: the terms of definitions
        that began earlier."""
        starts = bool(self.terms) and not begun and self.text.startswith(self.terms[-1])
        return "\n".join(self.terms[:-1] if starts else self.terms)

    def rendered(self) -> str:
        """The block as Markdown, prefixes included."""
        text = f"{self.fence}{self.info}\n{self.text}\n{self.fence}" if self.kind == "code" else self.text
        return prefixed(text, self.lead, self.indent)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows up to the next one. The text before the first heading has level 0 and no
    heading. Levels from 7 are definitions, whose heading is their term; behind one, what holds it goes on as another
    section of the same heading and anchor."""

    level: int
    heading: str
    anchor: str
    blocks: list[Block] = field(default_factory=list[Block])


def prefixed(text: str, lead: str, indent: str) -> str:
    """`text` with `lead` before its first line and `indent` before every other line that is not empty."""
    first, *others = text.split("\n")
    lines = [(lead + first).rstrip()]
    lines += [indent + line if line else indent.rstrip() for line in others]
    return "\n".join(lines)

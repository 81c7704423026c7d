"""Put the modules that a cold process needs into one file: to find and read fifty of them costs more than to run them.

Made for wheels and bundles, as `coldseek_core/linked.py`; `LinkedModules` loads modules from it. A module becomes a
function with the module's text, whose names are global: run with the module's dictionary for its globals, it does what
the module does. Where the file is not there, as in a checkout, modules are imported from their own files.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

FILE = "linked.py"

_ENTRY = "coldseek"
_NEVER = "TYPE_CHECKING"
# What is imported when it is needed, and is needed by many questions.
_OFTEN = (
    "coldseek_core.search.refusal",
    "coldseek_core.search.recent_filters",
    "coldseek_core.search.word_filter",
    "coldseek_core.text.unicode_tables",
)
_HEAD = '"""The modules that a cold process needs, by coldseek_core/linking.py: change their files, not this."""\n\n'


class LinkError(Exception):
    """A module does something that a linked one cannot; says what and where."""


def linked_source(packages: Mapping[str, Path]) -> str:
    """The text of the linked file. `packages`: the folders of `coldseek` and `coldseek_core`. Raises LinkError."""
    parts = [_HEAD]
    rows: list[str] = []
    for order, (name, file) in enumerate(_cold_modules(packages).items()):
        parts.append(_as_function(f"_module_{order}", file) + "\n\n")
        place = "/".join((name.partition(".")[0], *file.relative_to(packages[name.partition(".")[0]]).parts))
        doc = ast.get_docstring(ast.parse(file.read_bytes()), clean=False)
        rows.append(f"    {name!r}: (_module_{order}, {place!r}, {doc!r}),\n")
    text = "".join([*parts, "# name: (what it does, its own file, its docstring)\n", "MODULES = {\n", *rows, "}\n"])
    compile(text, FILE, "exec", dont_inherit=True)
    return text


def _cold_modules(packages: Mapping[str, Path]) -> dict[str, Path]:
    """Modules that `import coldseek` imports, and those of _OFTEN, but for the two packages' own files."""
    found: dict[str, Path] = {}
    waiting = [_ENTRY, *_OFTEN]
    while waiting:
        name = waiting.pop()
        file = _file_of(name, packages)
        if file is None or file.name == FILE or name in found:  # a wheel's packages have the file already
            continue
        found[name] = file
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        for imported in _imported(ast.parse(file.read_bytes()), package):
            parts = imported.split(".")
            waiting.extend(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return {name: found[name] for name in sorted(found) if name not in packages}


def _file_of(name: str, packages: Mapping[str, Path]) -> Path | None:
    """The file of a module of ours, or None."""
    package, *parts = name.split(".")
    if package not in packages:
        return None
    path = packages[package].joinpath(*parts)
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """What a module imports when it is imported, and whatever it takes from there, which may be a module, too."""
    for statement in _statements(tree.body):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            above = package.rsplit(".", statement.level - 1)[0] if statement.level else ""
            base = ".".join(part for part in (above, statement.module or "") if part)
            yield from (f"{base}.{alias.name}" for alias in statement.names)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements that run when a module is imported, also those within others."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for field in ("orelse", "finalbody") if _is_for_types(statement) else ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, []))
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body)


def _is_for_types(statement: ast.stmt) -> bool:
    """Whether it is an `if TYPE_CHECKING`, whose body never runs."""
    return isinstance(statement, ast.If) and isinstance(statement.test, ast.Name) and statement.test.id == _NEVER


def _as_function(name: str, file: Path) -> str:
    """A module as a function. Its text stays as it is, but for its docstring, what never runs, and annotations of
    names, which a function cannot have of global ones.
    """
    source = file.read_bytes()
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    kept = [True] * (len(lines) + 1)
    names: set[str] = set()
    if ast.get_docstring(tree, clean=False) is not None:
        _drop(kept, tree.body[0])
    for statement in reversed(list(_statements(tree.body))):  # from the end, so that places before stay as they are
        if _is_for_types(statement) and not getattr(statement, "orelse", []):
            _drop(kept, statement)
            continue
        names |= _bound(statement, file)
        if isinstance(statement, ast.AnnAssign):
            _drop_annotation(lines, statement)
    within_texts = _lines_within_texts(tree)
    body = [
        line if number in within_texts or not line.strip() else b"    " + line
        for number, line in enumerate(lines, start=1)
        if kept[number]
    ]
    told = [f"    global {', '.join(sorted(names))}\n"] if names else []
    return "".join([f"def {name}():\n", *told, b"".join(body).decode().strip("\n"), "\n" if body else "    pass\n"])


def _drop(kept: list[bool], statement: ast.stmt) -> None:
    for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
        kept[number] = False


def _drop_annotation(lines: list[bytes], statement: ast.AnnAssign) -> None:
    """`name: type = value` to `name = value`, and `name: type` to `pass`. Places are in bytes."""
    target, value = statement.target, statement.value
    first, last = target.end_lineno or 0, value.lineno if value else statement.end_lineno or 0
    before = lines[first - 1][: target.end_col_offset] if value else lines[first - 1][: target.col_offset] + b"pass"
    after = lines[last - 1][value.col_offset :] if value else b"\n"
    lines[first - 1] = before + (b" = " if value else b"") + after
    for number in range(first + 1, last + 1):
        lines[number - 1] = b""


def _bound(statement: ast.stmt, file: Path) -> set[str]:
    """The names that a statement gives values to, by itself, without those within it."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.ImportFrom):
        names = {alias.asname or alias.name for alias in statement.names}
        if "*" in names or statement.module == "__future__":
            raise LinkError(f"{file}, line {statement.lineno}: a linked module cannot import that; name what it needs")
        return names
    if isinstance(statement, ast.Match):
        raise LinkError(f"{file}, line {statement.lineno}: a linked module cannot use match outside of functions")
    names = {handler.name for handler in getattr(statement, "handlers", []) if handler.name}
    parts = [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt | ast.ExceptHandler)]
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.NamedExpr):
                raise LinkError(f"{file}, line {node.lineno}: a linked module cannot use := outside of functions")
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                names.add(node.id)
    return names


def _lines_within_texts(tree: ast.Module) -> set[int]:
    """Numbers of lines that begin within a text, where white space counts (or in brackets, where it does not)."""
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
    return {number for node in texts for number in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)}

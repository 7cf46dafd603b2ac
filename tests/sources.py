"""Static checks of a source: what it imports, which functions it calls, whether it compares editions."""

import ast
from collections.abc import Collection, Iterator

from seance.rules import EDITIONS

IMPURE = ("open", "print", "input", "exec", "eval", "__import__", "breakpoint")
"""Built-in functions with effects outside the program."""


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that is imported, however deep."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def impurities(source: str) -> list[str]:
    """Return where *source* has effects outside the program, or uses randomness without a seed."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE:
                found.append(f"line {node.lineno} calls {name}")
            case ast.Call(func=ast.Name(id="Random"), args=[]):
                found.append(f"line {node.lineno} makes chance without a seed")
            case ast.Import(names=names) if any(alias.name == "random" for alias in names):
                found.append(f"line {node.lineno} imports chance without a seed")
            case ast.ImportFrom(module="random", names=names) if any(alias.name != "Random" for alias in names):
                found.append(f"line {node.lineno} imports chance without a seed")
    return found


def edition_tests(source: str) -> list[int]:
    """Return the lines of *source* that compare an edition or its name."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(_names_an_edition, [left, *others])):
                lines.append(node.lineno)
            case ast.MatchValue(value=value) if _names_an_edition(value):
                lines.append(value.lineno)
            case ast.Match(subject=subject) if _names_an_edition(subject):
                lines.append(subject.lineno)
            case ast.Attribute(value=value, attr="startswith" | "endswith") if _names_an_edition(value):
                lines.append(node.lineno)
    return lines


def _names_an_edition(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str(name)):
            return name in EDITIONS
        case ast.Name(id=name):
            return name.lower() in EDITIONS
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr="name"):
            return "edition" in owner.lower()
        case ast.Attribute(attr=name):
            return name.isupper() and name.lower() in EDITIONS
        case ast.Tuple(elts=nodes) | ast.List(elts=nodes) | ast.Set(elts=nodes):
            return any(map(_names_an_edition, nodes))
    return False


def prints(source: str) -> list[int]:
    """Return the lines of *source* that print."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


def classes(source: str) -> list[str]:
    """Return the names of the classes that *source* defines at its top level and that are not private."""
    return [n.name for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


def nameless_functions(source: str) -> list[int]:
    """Return the lines of functions called `_`, which no search and no profile finds."""
    functions = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return [function.lineno for function in functions if function.name == "_"]


def language_lists(source: str, codes: Collection[str]) -> list[int]:
    """Return the lines of *source* that enumerate languages: two of *codes* in a list, as keys, or in an if-else."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Tuple(elts=named) | ast.List(elts=named) | ast.Set(elts=named) | ast.Dict(keys=named):
                pass
            case ast.IfExp(body=body, orelse=orelse):
                named = [body, orelse]
            case _:
                continue
        found = {each.value for each in named if isinstance(each, ast.Constant) and each.value in codes}
        if len(found) > 1:
            lines.append(node.lineno)
    return lines

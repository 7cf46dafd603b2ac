"""Reading a hassil file: YAML within bounds, checked for its shape, with errors that name the line and the key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from hassil import parse_sentence

from seance.dialogue.grammar.template_graph import BadSentences
from seance.text_files import at_line, shorten

try:
    from yaml import CSafeLoader
except ImportError:  # a PyYAML without libyaml
    from yaml import SafeLoader as CSafeLoader  # type: ignore[assignment]

MAX_VALUES = 100_000
"""Values of the largest file that is read, each alias counted as all that it stands for."""
_MAX_DEPTH = 30
_MAX_TEXT = 4000

_ANY = object()
_SCALAR = object()
_TEXT = object()
_FLAG = object()
_EACH = "*"
"""Stands for every key of a mapping."""
_LISTS: Mapping[str, Any] = {
    _EACH: {
        "values": [_ANY],
        "range": {
            "from": _SCALAR,
            "to": _SCALAR,
            "step": _SCALAR,
            "type": _SCALAR,
            "multiplier": _SCALAR,
            "fractions": _SCALAR,
            "words_language": _TEXT,
        },
    }
}
_VALUE: Mapping[str, Any] = {"in": _TEXT, "out": _SCALAR}
_BLOCK: Mapping[str, Any] = {
    "sentences": [_TEXT],
    "slots": {_EACH: _SCALAR},
    "requires_context": {},
    "excludes_context": {_EACH: _SCALAR},
    "expansion_rules": {_EACH: _TEXT},
    "lists": _LISTS,
    "required_keywords": [_SCALAR],
    "name_domains": [_SCALAR],
    "settings": {},
    "metadata": {"typed_only": _FLAG},
}
_SHAPE: Mapping[str, Any] = {
    "language": _TEXT,
    "settings": {},
    "intents": {_EACH: {"data": [_BLOCK]}},
    "lists": _LISTS,
    "expansion_rules": {_EACH: _TEXT},
    "skip_words": [_TEXT],
}
"""What a hassil file may hold: mappings, [lists], texts and other scalars; keys that are not here may hold anything."""
_REQUIRED = {"data": ("sentences",), "intents": ("data",), "range": ("from", "to")}
"""The keys that each entry of these must have; `range` is itself the entry."""


Key = tuple[str | int, ...]


def read_sentences(text: str, source: str) -> dict[str, Any]:
    """Return the hassil file *text*, or raise BadSentences, which names *source*, the line and the key."""
    try:
        loader = _choose_loader(text)
        tree = yaml.compose(text, Loader=loader)
        if tree is None:
            raise BadSentences(f"{source}: no intents in it: this is not a hassil file")
        _check_size(tree, source)
        data = yaml.load(text, Loader=loader)  # noqa: S506 - a subclass of SafeLoader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise BadSentences(f"{at_line(source, line)}: not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise BadSentences(f"{source}: not YAML: {error}") from None
    except RecursionError:
        raise BadSentences(f"{source}: values are nested too deeply, at most {_MAX_DEPTH} levels are allowed") from None
    if not isinstance(data, dict) or not isinstance(data.get("intents"), dict):
        raise BadSentences(f"{source}: no intents in it: this is not a hassil file")
    for key, problem in _find_problems(data, _SHAPE, ()):
        where = at_line(source, _line_of(tree, key))
        raise BadSentences(f"{where}: {shorten('.'.join(map(str, key)))}: {problem}")
    return data


def describe_bad_template(text: str, source: str, data: dict[str, Any]) -> str | None:
    """Return which text of the hassil file hassil cannot parse, with *source*, line and key; None if it can parse all.

    *data* is what `read_sentences` has returned for *text*.
    """
    for key, template in _find_texts(data, ()):
        try:
            parse_sentence(template)
        except Exception:  # hassil raises nearly anything
            tree = yaml.compose(text, Loader=_Loader)
            where = at_line(source, None if tree is None else _line_of(tree, key))
            problem = f"{shorten(repr(template))} is not a hassil template: check its brackets"
            return f"{where}: {shorten('.'.join(map(str, key)))}: {problem}"
    return None


def _find_texts(value: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """Yield the key and the text of each rule and each value of a list."""
    if isinstance(value, str) and ("values" in key[-3:-1] or key[-2:-1] == ("expansion_rules",)):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _find_texts(inner, (*key, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _find_texts(inner, (*key, index))


class _Constructor(yaml.constructor.SafeConstructor):
    """Makes values of nodes; its errors all have a line."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of *node*, or raise ConstructorError."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, OverflowError, TypeError):
            problem = f"{shorten(str(node.value))} cannot be read as a value: put it in quotes"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None


class _Loader(_Constructor, yaml.SafeLoader):
    """YAML's safe loader in Python."""


class _FastLoader(_Constructor, CSafeLoader):
    """That of libyaml, which takes a twentieth of the time."""


def _choose_loader(text: str) -> type[_Loader | _FastLoader]:
    """Return the fast loader, but not where it crashes or names a later line: too deep a nesting, what is not YAML."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_FastLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH:
                return _Loader
    except yaml.YAMLError:
        return _Loader
    return _FastLoader


def _check_size(tree: yaml.Node, source: str) -> None:
    """Raise BadSentences where *tree* holds too much, too deeply, or itself."""
    sizes: dict[int, int] = {}
    open_: set[int] = set()

    def measure(node: yaml.Node, depth: int) -> int:
        """Return how many values *node* holds, counting each alias as all that it stands for."""
        line = node.start_mark.line + 1
        if id(node) in open_:
            raise BadSentences(f"{source}, line {line}: this holds an alias of itself")
        if depth > _MAX_DEPTH:
            problem = f"values are nested too deeply, at most {_MAX_DEPTH} levels are allowed"
            raise BadSentences(f"{source}, line {line}: {problem}")
        if id(node) not in sizes:
            open_.add(id(node))
            sizes[id(node)] = 1 + sum(measure(child, depth + 1) for child in _children(node))
            open_.discard(id(node))
            if sizes[id(node)] > MAX_VALUES:
                raise BadSentences(f"{source}, line {line}: this holds more than {MAX_VALUES} values")
        return sizes[id(node)]

    measure(tree, 0)


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _find_problems(value: Any, shape: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """Yield the key and a description of each value that does not have its *shape*."""
    if isinstance(shape, Mapping):
        if not isinstance(value, dict):
            yield key, f"must be a mapping, not {_describe(value)}"
            return
        for name, inner in value.items():
            if not isinstance(name, str):
                yield (*key, str(name)), f"must have a text as its key, not {_describe(name)}: put it in quotes"
            wanted = shape.get(name, shape.get(_EACH, _ANY))
            yield from _find_problems(inner, wanted, (*key, name))
            yield from _find_missing(name, inner, (*key, name))
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield key, f"must be a list, not {_describe(value)}"
            return
        in_list = key[-1:] == ("values",)
        for index, inner in enumerate(value):
            wanted = _VALUE if in_list and isinstance(inner, dict) else _TEXT if in_list else shape[0]
            yield from _find_problems(inner, wanted, (*key, index))
    elif shape is _TEXT and not isinstance(value, str):
        yield key, f"must be a text, not {_describe(value)}: put it in quotes"
    elif shape is _TEXT and not value.strip():
        yield key, "is empty"
    elif shape is _TEXT and len(value) > _MAX_TEXT:
        yield key, f"is longer than {_MAX_TEXT} characters"
    elif shape is _FLAG and not isinstance(value, bool):
        yield key, f"must be true or false, not {_describe(value)}"
    elif shape is _SCALAR and (
        not isinstance(value, str | int | float)
        or (isinstance(value, float) and not math.isfinite(value))
        or (isinstance(value, int) and abs(value) >= 2**63)
    ):
        yield key, f"must be a text or a number, not {_describe(value)}"


def _find_missing(name: str, value: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """Yield a problem for each required key that the entries of *value* do not have."""
    entries: list[tuple[Key, Any]] = [(key, value)] if name == "range" else []
    if name == "data" and isinstance(value, list):
        entries = [((*key, index), entry) for index, entry in enumerate(value)]
    elif key == ("intents",) and isinstance(value, dict):
        entries = [((*key, intent), entry) for intent, entry in value.items()]
    for place, entry in entries:
        for wanted in _REQUIRED[name]:
            if isinstance(entry, dict) and wanted not in entry:
                yield place, f"`{wanted}` is missing"


def _describe(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else shorten(str(value).lower() if value is True else str(value))


def _line_of(tree: yaml.Node, key: Key) -> int:
    """Return the line on which *key*, or as much of it as there is, is written."""
    line, node = tree.start_mark.line, tree
    for part in key:
        found = None
        if isinstance(node, yaml.MappingNode):
            pairs = [(name, value) for name, value in node.value if getattr(name, "value", None) == str(part)]
            if pairs:
                line, found = pairs[-1][0].start_mark.line, pairs[-1][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = found.start_mark.line
        if found is None:
            break
        node = found
    return int(line) + 1

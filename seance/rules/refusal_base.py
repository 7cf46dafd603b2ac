"""What all refusals have in common."""

from inspect import get_annotations
from typing import ClassVar, dataclass_transform

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def in_words(number: int) -> str:
    """Return *number* in words; a large one in digits."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


@dataclass_transform(eq_default=False)
class Refusal(ValueError):
    """The rules forbid what was asked; nothing has changed."""

    says: ClassVar[str]
    """The message, with the fields of the class in braces."""

    # Not a dataclass: fifty of them add a third to the time it takes to import the rules.
    def __init__(self, *values: object) -> None:
        super().__init__(*values)
        self.__dict__.update(zip(get_annotations(type(self)), values, strict=True))

    def __str__(self) -> str:
        return self.says.format(self=self)

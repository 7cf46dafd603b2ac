"""The colours of the page and its picture, in a light and a dark scheme."""

_DAY = {
    "paper": "#fbf7ee", "panel": "#f4edde", "ink": "#2a2230", "soft": "#695d6e", "line": "#ddd2bf", "gold": "#87590f",
    "blue": "#3a68ab", "white": "#dcd7e3", "red": "#ad2f38", "yellow": "#e0ad2b", "purple": "#784a9c",
    "black": "#2b2731", "rim": "#8d8193",
}  # fmt: skip
_NIGHT = {
    "paper": "#15111c", "panel": "#1e1828", "ink": "#ece4d6", "soft": "#9e93a6", "line": "#352c42", "gold": "#d9ab5a",
    "blue": "#5d8fd6", "white": "#f6f1e6", "red": "#d2525a", "yellow": "#e6bb4a", "purple": "#a274ca",
    "black": "#0b090e", "rim": "#8d8193",
}  # fmt: skip

TEXT_ON = {"blue": "#fff", "white": "#2a2230", "red": "#fff", "yellow": "#2a2230", "purple": "#fff", "black": "#fff"}
"""The text colour that can be read on the colour of each psychic."""


def css_variables(selector: str) -> str:
    """Return CSS that gives *selector* its colours as variables: dark where a screen prefers it, else light."""
    day, night = (";".join(f"--{name}:{value}" for name, value in each.items()) for each in (_DAY, _NIGHT))
    return f"{selector}{{{day}}}@media screen and (prefers-color-scheme:dark){{{selector}{{{night}}}}}"

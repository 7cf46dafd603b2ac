"""The ghost's page betrays nothing by its light: luminance and layout stay the same all night."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Page

from tests.web.browser.moments import moments
from tests.web.browser.seats import Ghost, Guest

DARK = 0.03
"""Of the light of a white screen."""
SAME = 0.06
"""How much lighter or darker than usual a moment may be."""


def light(page: Page) -> float:
    """Return the mean luminance of *page*: 0 is black, 1 white."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    counts, pixels = picture.histogram(), picture.width * picture.height
    weights = (0.2126, 0.7152, 0.0722)
    return (
        sum(
            weight * sum(counts[256 * channel + value] * _linear(value / 255) for value in range(256))
            for channel, weight in enumerate(weights)
        )
        / pixels
    )


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def places(page: Page) -> dict[str, tuple[float, ...]]:
    """Return where every button is, and how it is coloured."""
    return page.locator("#seat button").evaluate_all(
        """buttons => Object.fromEntries(buttons.map(button => {
            const { x, y, width, height } = button.getBoundingClientRect();
            const { color, backgroundColor, opacity } = getComputedStyle(button);
            return [button.id || button.dataset.row, [x, y, width, height, color, backgroundColor, opacity]];
        }))"""
    )


def test_the_page_is_as_dark_and_every_button_where_it_was_in_every_phase(ghost: Ghost, guest: Guest) -> None:
    lights, buttons = {}, {}
    for moment in moments(ghost, guest):
        lights[moment], buttons[moment] = light(ghost.page), places(ghost.page)
    assert len(lights) == 6
    usual = sum(lights.values()) / len(lights)
    assert usual < DARK
    assert {moment: round(each / usual, 3) for moment, each in lights.items() if abs(each / usual - 1) > SAME} == {}
    assert all(each == buttons["The visions"] for each in buttons.values())


def test_what_may_not_be_done_now_has_another_shape_and_the_same_light(ghost: Ghost, guest: Guest) -> None:
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    looks = ghost.page.locator("#vision, #lay").evaluate_all(
        """buttons => buttons.map(button => {
            const look = getComputedStyle(button);
            const light = [look.color, look.borderTopColor, look.backgroundColor, look.opacity];
            return [light, [look.borderTopStyle, look.textDecorationLine]];
        })"""
    )
    (lit, shape), (other_lit, other_shape) = looks
    assert lit == other_lit
    assert (shape, other_shape) == (["solid", "underline"], ["dashed", "line-through"])


def test_everything_that_the_ghost_touches_is_large_enough_for_a_thumb(ghost: Ghost, guest: Guest) -> None:
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    ghost.page.set_viewport_size({"width": 360, "height": 640})
    sizes = {name: box[2:4] for name, box in places(ghost.page).items() if box[2]}
    assert {name: size for name, size in sizes.items() if min(size) < 48} == {}
    width = ghost.page.evaluate("document.documentElement.scrollWidth")
    assert width == 360


def test_nothing_on_the_page_of_the_ghost_moves_or_flashes_by_itself(ghost: Ghost) -> None:
    moving = ghost.page.evaluate("document.getAnimations().length")
    styles = ghost.page.locator("*").evaluate_all(
        "all => all.map(each => getComputedStyle(each)).filter(style => style.animationName !== 'none').length"
    )
    assert (moving, styles) == (0, 0)


def test_the_screen_of_the_ghost_is_kept_awake(ghost: Ghost) -> None:
    ghost.touches("more")
    ghost.page.wait_for_function("() => ['lock', 'film'].includes(document.body.dataset.awake)")

"""The geometries that come with the house, and those that an owner writes."""

import math

import pytest

from seance.audio.array_geometry import BadGeometry, load_geometry, shipped_geometries


def test_ring4_is_four_microphones_from_45_degrees_on_in_the_order_of_the_channels():
    geometry = load_geometry("ring4")
    angles = [math.degrees(math.atan2(y, x)) % 360 for x, y, _ in geometry.positions_mm]
    assert angles == pytest.approx([45, 135, 225, 315])
    assert [math.hypot(x, y) for x, y, _ in geometry.positions_mm] == pytest.approx([32.3] * 4)
    assert (geometry.channels, geometry.channel_count) == ((0, 1, 2, 3), 4)


@pytest.mark.parametrize("name", shipped_geometries())
def test_every_geometry_that_comes_with_the_house_can_be_loaded(name):
    geometry = load_geometry(name)
    assert geometry.is_line == (name in ("line4", "respeaker-2mic"))
    assert len(geometry.channels) >= 2


GOOD = 'title = "mine"\nchannels = 3\nmicrophones = [\n{ channel = 1, x_mm = 0, y_mm = 0 },\n{ channel = 3, %s },\n]\n'


def test_an_owner_writes_places_as_x_and_y_or_as_angle_and_radius(tmp_path):
    for place in ("x_mm = 0, y_mm = 40", "angle_deg = 90, radius_mm = 40"):
        path = tmp_path / "mine.toml"
        path.write_text(GOOD % place)
        geometry = load_geometry(str(path))
        assert geometry.channels == (0, 2)
        assert geometry.positions_mm[1] == pytest.approx((0, 40, 0))


@pytest.mark.parametrize(
    ("place", "complaint"),
    [
        ("x_mm = 4", "the place of the microphone of channel 3 is unclear"),
        ("x_mm = 1, y_mm = 1", "closer than 5 mm"),
        ("x_mm = 4000, y_mm = 1", "farther than 1000 mm"),
        ("x_mm = nan, y_mm = 1", "farther than 1000 mm"),
        ("x_mm = 40, y_mm = 0 }, { channel = 1, x_mm = 80, y_mm = 0", "two microphones are on channel 1"),
        ("x_mm = 40, y_mm = 0 }, { channel = 4, x_mm = 80, y_mm = 0", "but `channels` is 3"),
        ("x_mm = 40, y_mm = 0, hight = 3", "microphones entry 2: object contains unknown field `hight`"),
        ('x_mm = 40, y_mm = "a"', "microphones entry 2, y_mm: expected `float | null`, got `str`"),
        ("x_mm = 40, y_mm = 0 }, { channel = 0, x_mm = 80, y_mm = 0", "microphones entry 3, channel: expected"),
    ],
)
def test_a_geometry_that_contradicts_itself_is_refused_with_its_file(tmp_path, place, complaint):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD % place)
    with pytest.raises(BadGeometry) as refused:
        load_geometry(str(path))
    assert str(refused.value).startswith(f"{path}: ")
    assert complaint in str(refused.value)


@pytest.mark.parametrize("name", ["ring5", "/nowhere/mine.toml"])
def test_a_geometry_that_is_not_there_is_told(name):
    with pytest.raises(BadGeometry, match=name):
        load_geometry(name)

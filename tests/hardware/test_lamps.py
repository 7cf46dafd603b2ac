from dataclasses import dataclass, field

import pytest
from gpiozero import SPI
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from hardware.lamps import ExpanderLamps, LampRow, PinLamps, RegisterLamps
from hardware.pins import open_ring_spi
from hardware.power import Dimming
from hardware.ring import RingLamps, decode_pixels, encode_pixels
from hardware.virtual import VirtualPinFactory


@dataclass
class ShiftRegisters:
    """74HC595 in a chain, as their data sheet has them."""

    data: MockPin
    outputs: list[bool]
    bits: list[bool] = field(default_factory=list)

    def on_clock(self) -> None:
        self.bits = [bool(self.data.state), *self.bits][: len(self.outputs)]

    def on_latch(self) -> None:
        self.outputs[:] = self.bits


class RisingPin(MockPin):
    when_risen = staticmethod(lambda: None)

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and value:
            self.when_risen()
        return changed


@pytest.fixture
def chips():
    """Three shift registers on GPIO 5, 6 and 7, and the pins that they are on."""
    factory = MockFactory(pin_class=RisingPin)
    chain = ShiftRegisters(factory.pin(5), [True] * 24)
    factory.pin(6).when_risen = chain.on_clock
    factory.pin(7).when_risen = chain.on_latch
    return factory, chain


def test_a_led_on_a_pin_is_dimmed(pins: VirtualPinFactory) -> None:
    lamps = PinLamps([4, 5], pin_factory=pins)
    lamps.write((0.25, 1.0))
    assert (pins.pin(4).state, pins.pin(5).state) == (0.25, 1.0)


def test_pins_that_cannot_dim_are_on_or_off() -> None:
    factory = MockFactory(pin_class=MockPin)
    lamps = PinLamps([4], pin_factory=factory)
    lamps.write((1.0,))
    assert lamps.loads[0].dimming is Dimming.ON_OFF
    assert factory.pin(4).state


def test_registers_show_what_was_shifted_out(chips) -> None:
    factory, chain = chips
    lamps = RegisterLamps(23, data=5, clock=6, latch=7, pin_factory=factory)
    lamps.write([float(place in (0, 9, 22)) for place in range(23)])
    assert [place for place, lit in enumerate(chain.outputs) if lit] == [0, 9, 22]


def test_registers_are_dark_from_the_start(chips) -> None:
    factory, chain = chips
    RegisterLamps(24, data=5, clock=6, latch=7, pin_factory=factory)
    assert not any(chain.outputs)


def test_registers_are_dark_at_the_end(chips) -> None:
    factory, chain = chips
    lamps = RegisterLamps(24, data=5, clock=6, latch=7, pin_factory=factory)
    lamps.write((1.0,) * 24)
    lamps.close()
    assert not any(chain.outputs)


def test_an_expander_sets_both_of_its_ports(pins: VirtualPinFactory) -> None:
    chip = pins.i2c(1, 0x20)
    lamps = ExpanderLamps(chip)
    lamps.write([float(place in (0, 3, 15)) for place in range(16)])
    assert chip.registers == {0x00: 0, 0x01: 0, 0x14: 0b1001, 0x15: 0b1000_0000}


COLOURS = st.lists(st.tuples(*[st.integers(0, 255)] * 3), max_size=30)


@given(COLOURS)
def test_pixels_understand_what_is_sent(colours) -> None:
    assert list(decode_pixels(encode_pixels(colours))) == colours


def test_a_zero_is_one_third_high_and_a_one_two_thirds() -> None:
    sent = encode_pixels([(0b1010_0000, 0, 0)])
    assert sent[4:7] == int("110100110100100100100100", 2).to_bytes(3, "big")


def test_a_ring_dims_its_colours(pins: VirtualPinFactory) -> None:
    spi = open_ring_spi(pins)
    RingLamps([(200, 100, 0), (0, 0, 255)], spi).write((0.5, 0.0))
    assert decode_pixels(spi.sent) == ((100, 50, 0), (0, 0, 0))


def test_a_ring_is_sent_fast_enough_for_its_bits(pins: VirtualPinFactory) -> None:
    spi: SPI = open_ring_spi(pins)
    assert 1.1e-6 < 3 / spi.rate < 1.4e-6


def test_a_row_of_different_lamps_is_one(pins: VirtualPinFactory) -> None:
    spi, chip = open_ring_spi(pins), pins.i2c(1, 0x20)
    row = LampRow(PinLamps([4, 5], pin_factory=pins), ExpanderLamps(chip), RingLamps([(255, 255, 255)], spi))
    row.write((1.0, 0.0, *[0.0] * 15, 1.0, 1.0))
    assert (pins.pin(4).state, chip.registers[0x15], decode_pixels(spi.sent)) == (1.0, 0x80, ((255, 255, 255),))

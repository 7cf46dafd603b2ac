"""The pins of lgpio where no Pi is: the chip is preloaded (gpiochip.c), and the Pi is a 4 B."""

from gpiozero.pins.lgpio import LGPIOFactory


class MadeUpPi(LGPIOFactory):
    def _get_revision(self) -> int:
        return 0xC03114

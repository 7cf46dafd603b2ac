"""lgpio's pin factory for a Pi 4 B that does not exist; its chip is preloaded (gpiochip.c)."""

from gpiozero.pins.lgpio import LGPIOFactory


class FakePiFactory(LGPIOFactory):
    def _get_revision(self) -> int:
        return 0xC03114

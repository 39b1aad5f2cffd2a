"""Guards for every test: no screen, no pins, no sound, and no deadline, whatever the machine has."""

import os

from hypothesis import settings

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

"""The commands of ``saloon-station``, one module per subject; ``station/main.py`` registers them."""

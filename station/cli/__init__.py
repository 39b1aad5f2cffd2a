"""The commands of ``saloon-station``, one module per subject; ``station/cli/main.py`` lists them."""

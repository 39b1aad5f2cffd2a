"""The commands of ``saloon-station``, one module per subject; ``station/cli/commands.py`` registers them."""

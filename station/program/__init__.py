"""The commands of ``saloon-station``, one module a subject; ``station/main.py`` joins them."""

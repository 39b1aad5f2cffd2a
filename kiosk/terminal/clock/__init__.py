"""The clocks that a table sees and hears."""

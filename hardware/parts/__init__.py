"""The parts of a panel: buttons, lamps, buzzer, fan, battery and their readings."""

"""The parts of a panel: buttons, switches, lamps, buzzer, fan, and gauges of power and temperature."""

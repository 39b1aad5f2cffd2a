"""The parts of a terminal: buttons, key switch, lamp, buzzer. Knows pins and patterns, no rules."""

"""The demonstration: a hall of station and terminals on one machine."""

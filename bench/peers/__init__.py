"""What the station is measured against: the same events and disk, every flush switched on and counted."""

"""The page of the computer that the station runs on."""

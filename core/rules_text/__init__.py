"""The rules of an edition as sentences with their sources: one text for pages, station and programs."""

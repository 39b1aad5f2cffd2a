"""The audit: everything that people did at the station's pages, in the order in which they did it."""

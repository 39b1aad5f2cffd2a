"""The audit log: everything that people did on the station's pages, in order."""

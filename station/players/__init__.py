"""Players: their list, codes, presence and own pages."""

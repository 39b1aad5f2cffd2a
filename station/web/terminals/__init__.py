"""Pages for terminals, their cards, updates and rehearsals."""

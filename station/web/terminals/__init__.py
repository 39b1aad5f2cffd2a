"""Pages for terminals, cards, updates and rehearsals."""

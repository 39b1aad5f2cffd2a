"""The scenes of a duel: two players face each other across the glass, each half turned to its own."""

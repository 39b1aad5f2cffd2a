"""The startup of a terminal: its screen, certificate, agent and connection, and their composition."""

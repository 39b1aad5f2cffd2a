"""The display of a terminal: the choice of scenes, the screen, touches and brightness."""

"""Serial lines between programs of one machine, with the speed, noise and cuts of real cables."""

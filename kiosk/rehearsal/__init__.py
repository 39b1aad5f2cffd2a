"""Players of a rehearsal: they play a table through the door that people use.

``brain`` decides, purely, what a table of people would touch next on the screen it sees;
``door`` sees and touches over HTTP; ``python -m saloon.kiosk.rehearsal`` joins the two.
"""

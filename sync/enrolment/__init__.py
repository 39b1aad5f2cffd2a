"""The enrolment of a terminal: join codes, proofs by both ends, and a state machine for each end.

The machines take bytes and time and return bytes. They don't access wires, cards or clocks, and never wait.
"""

"""The enrolment of a terminal: join codes, proofs by both ends, and one state machine for each end.

The machines take bytes and time and return bytes; they don't access wires, cards or clocks, and never wait.
"""

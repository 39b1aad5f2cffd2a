"""The enrolment of a terminal: join codes, proofs of both ends, and one state machine for each end.

The machines take bytes and time and return bytes; they touch no wire, card or clock, and never wait.
"""

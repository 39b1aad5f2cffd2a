"""How a terminal is taken in: the words people carry, the proofs both ends give, one machine for each end.

Machines take bytes and time and give bytes; they touch no wire, card or clock, and never wait.
"""

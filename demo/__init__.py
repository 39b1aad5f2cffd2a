"""The demonstration: a whole hall on one machine.

It starts the real programs as processes of their own, with real wires between them, and sits
at the station's pages as a judge would. Of other rooms it imports only what players of a rehearsal need.
"""

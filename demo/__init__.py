"""The demonstration: a whole hall on one machine.

It starts the real programs as separate processes, with real wires between them, and uses the station's pages
as a judge would. Of other rooms it imports only what players of a rehearsal need.
"""

"""The demonstration: a complete tournament hall on one machine.

It starts the real programs as separate processes, connects them by simulated serial lines or TLS, and
operates the station's pages as a judge would. A rehearsal is the same hall with faults.
"""

"""A new version of the program for terminals: its signed bundle, and how it travels beside the entries.

A bundle comes piece by piece over the connection that there is, when a terminal has nothing else to do;
who may make one, a signature says. What is pure here (``bundle``, ``about``, ``messages``, ``pull``) knows
no file and no clock. Words: a bundle is head and payload, the head is manifest and signature.
"""

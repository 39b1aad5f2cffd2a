"""Judges' accounts: logging in, invitations, permissions and the audit log."""

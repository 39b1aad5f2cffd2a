"""Corrections by the judge, and games continued on another terminal."""

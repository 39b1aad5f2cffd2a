"""Corrections by the judge, and games carried on by another terminal."""

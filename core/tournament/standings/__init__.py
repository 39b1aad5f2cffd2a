"""Standings, tie-breaks, rankings and prizes."""

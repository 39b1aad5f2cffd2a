"""Forecasts of the end of a round."""

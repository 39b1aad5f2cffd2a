"""Simulated rounds in virtual time, and the coefficients of forecasts derived from them."""

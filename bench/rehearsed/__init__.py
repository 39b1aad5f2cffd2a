"""Rounds of rehearsal players in virtual time, and the numbers of forecasts that come from them."""

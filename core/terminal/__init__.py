"""Orders from the station to a table's terminal, and the reports that the terminal sends about itself."""

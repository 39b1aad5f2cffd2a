"""Services for the floor: tables, clocks, reports, disputes."""

"""Services for terminals: enrolment, orders, links and problems."""

"""The material of pages: a request's judge and language, forms, limits, headers and live updates.

Pages parse requests, call their feature's service and render. No rules, SQL or stored state here. Refusals
become a notice on the current page, in one place (``site.show_refusal``).
"""

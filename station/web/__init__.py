"""The station's pages: parse requests, call the service and render. No rules, SQL or stored state here.

``public`` is for everybody, the other pages are for judges. Refusals become a notice on the current page, in
one place (``site.refused``).
"""

"""The station's pages: parse, ask the service, show. No rule, no SQL, no stored state here.

``public`` is for everybody, the other pages are the judge's. Refusals become a notice on the page where the
person is, in one place (``site.refused``).
"""

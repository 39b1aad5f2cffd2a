"""Programs that make parts of the checkout: pictures, drawings, pages, catalogues."""

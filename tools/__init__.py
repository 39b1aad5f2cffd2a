"""Programs for developers that create pictures, drawings, pages, catalogues and releases."""

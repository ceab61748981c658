"""OpenAPI documents: reading their operations as tools, and calling those over HTTP."""

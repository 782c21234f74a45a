"""The API under /api/v1: the same answers as the page's, as JSON, described by OpenAPI 3.1 out of this code."""

"""HTTP: operations of the API, middleware, pages."""

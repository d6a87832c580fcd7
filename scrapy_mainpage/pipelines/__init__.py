"""Item pipelines: what is dropped, and what is indexed."""

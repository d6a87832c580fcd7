"""The engines of search servers: OpenSearch and Elasticsearch."""

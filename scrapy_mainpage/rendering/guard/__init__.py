"""SSRF guard: the SOCKS5 proxy on loopback that all browser traffic passes."""

from collections.abc import Collection

class NameReader:
    def __init__(
        self,
        bits_of: dict[str, int],
        networks: Collection[str],
        network_bits: int,
        *,
        longest_row: int,
        most_with_network: int,
        long_id: int,
        least_camel: int,
    ) -> None: ...
    def read(self, name: bytes, is_id: bool) -> int | None: ...

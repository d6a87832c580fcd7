"""Forbidden addresses in all their notations, and the user's exceptions."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from scrapy_mainpage.rendering.destinations import (
    AllowedHosts,
    check_address,
    find_reason,
)

FORBIDDEN = {
    "loopback": """
127.0.0.1 ::1 ::1%lo ::ffff:127.0.0.1 64:ff9b::127.0.0.1
""",
    "unspecified": """
0.0.0.0 ::
""",
    "private": """
10.0.0.1 172.16.0.1 192.168.0.1 fc00::1 2606:4700::1111%eth0 100.100.100.200
168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254 100.64.0.1 100.127.255.255
255.255.255.255 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1
203.0.113.1 240.0.0.1 100::1 2001:10::1 2001:db8::1 3fff::1 4000::1 fec0::1
::ffff:10.0.0.1 ::ffff:0:127.0.0.1 ::127.0.0.1 ::2 64:ff9b:1::8.8.8.8
64:ff9b:2::8.8.8.8 2002:7f00:1:: 2002:a9fe:a9fe::1 2001:0:808:808:0:0:80ff:fffe
2001:0:7f00:1:0:0:f7f7:f7f7 2606:4700::5efe:127.0.0.1
2606:4700::200:5efe:192.168.0.1 ::8.8.8.8 2002:808:808::1
2001:0:808:808:0:0:f7f7:f7f7 2606:4700::5efe:8.8.8.8
""",
    "link_local": """
169.254.0.1 fe80::1 febf::1 169.254.169.254 169.254.170.2 fe80::a9fe:a9fe
::ffff:169.254.169.254 64:ff9b::169.254.169.254 fe80::5efe:8.8.8.8
""",
    "multicast": """
224.0.0.1 ff02::1 ff0e::1
""",
}

PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
128.0.0.0 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
192.0.1.0 192.31.196.1 192.52.193.1 192.167.255.255 192.169.0.0 192.175.48.1
198.17.255.255 198.20.0.0 223.255.255.255 2000::1 2001:200::1 2001:4860:4860::8888
2606:4700:4700::1111 2620:4f:8000::1 2a00::1 3ffe:ffff::1 ::ffff:8.8.8.8
64:ff9b::8.8.8.8 2606:4700::5eff:127.0.0.1
"""


@pytest.mark.parametrize("reason", FORBIDDEN)
def test_an_address_that_is_not_public_is_forbidden_for_its_reason(reason: str) -> None:
    for address in FORBIDDEN[reason].split():
        assert find_reason(ip_address(address)) == reason, address


def test_a_public_address_is_not_forbidden() -> None:
    for address in PUBLIC.split():
        assert find_reason(ip_address(address)) is None, address


PERMITTED = """
example.com                example.com        10.0.0.1        80
example.com                EXAMPLE.com.       ::1             80
EXAMPLE.com.               example.com        10.0.0.1        80
example.com:8080           example.com        10.0.0.1        8080
*.example.com              a.example.com      10.0.0.1        80
*.example.com              a.b.example.com    10.0.0.1        80
*.example.com:81           a.example.com      10.0.0.1        81
my_host-1                  my_host-1          10.0.0.1        80
127.0.0.1                  localhost          127.0.0.1       80
127.0.0.1:8000             127.0.0.1          127.0.0.1       8000
10.0.0.0/8                 a.example          10.9.8.7        80
10.0.0.0/8:443             a.example          10.9.8.7        443
::1                        ::1                ::1             80
[::1]                      ::1                ::1             80
[::1]:8000                 ::1                ::1             8000
fd00::/8                   a.example          fd12::1         80
[fd00::/8]:443             a.example          fd12::1         443
fe80::/10                  a.example          fe80::1%eth0    80
"""

NOT_PERMITTED = """
example.com                www.example.com    10.0.0.1        80
example.com                example.com.evil.example 10.0.0.1  80
example.com                notexample.com     10.0.0.1        80
example.com:8080           example.com        10.0.0.1        80
*.example.com              example.com        10.0.0.1        80
*.example.com              notexample.com     10.0.0.1        80
*.example.com              .evil.example      10.0.0.1        80
127.0.0.1                  127.0.0.1          127.0.0.2       80
127.0.0.1                  127.0.0.1          ::ffff:127.0.0.1 80
127.0.0.1:8000             127.0.0.1          127.0.0.1       8001
10.0.0.0/8                 10.0.0.1           11.0.0.1        80
10.0.0.0/8                 10.0.0.1           ::1             80
fd00::/8                   a.example          fe80::1         80
[fd00::/8]:443             a.example          fd12::1         80
"""


@pytest.mark.parametrize("line", PERMITTED.strip().splitlines())
def test_a_host_that_is_listed_is_permitted(line: str) -> None:
    entry, host, address, port = line.split()
    allowed = AllowedHosts.parse([entry])
    assert allowed.permits(host, ip_address(address), int(port))
    assert check_address(host, ip_address(address), int(port), allowed) is None


@pytest.mark.parametrize("line", NOT_PERMITTED.strip().splitlines())
def test_a_host_that_is_not_listed_is_not_permitted(line: str) -> None:
    entry, host, address, port = line.split()
    allowed = AllowedHosts.parse([entry])
    assert not allowed.permits(host, ip_address(address), int(port))


def test_without_entries_nothing_is_permitted() -> None:
    for allowed in (AllowedHosts(), AllowedHosts.parse([])):
        assert not allowed.permits("localhost", ip_address("127.0.0.1"), 80)
        assert (
            check_address("localhost", ip_address("127.0.0.1"), 80, allowed)
            == "loopback"
        )
        assert check_address("example.com", ip_address("8.8.8.8"), 80, allowed) is None


BAD = """
http://example.com
example.com/path
example..com
-example.com
*
*.*.example.com
user@example.com
example.com:
example.com:0
example.com:http
example.com:١
10.0.0.1/8
10.0.0.0/33
127.1
0x7f.1
example.0
[::1
[example]:http
::1::2
1::2:3:4:5:6:7:8:99999
bü..example
"""


@pytest.mark.parametrize("entry", [*BAD.strip().splitlines(), "", " ", "a b", "a\0b"])
def test_an_entry_that_is_nothing_of_the_kind_is_named_in_one_line(entry: str) -> None:
    with pytest.raises(ValueError, match="allowed host") as caught:
        AllowedHosts.parse(["good.example", entry])
    assert repr(entry) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1

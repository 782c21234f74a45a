"""scripts/page-egress.nft, loaded into a network of its own: whom the page's user reaches and whom not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
RULES = ROOT / "scripts" / "page-egress.nft"
NFT = shutil.which("nft", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
APPLICATION, ANOTHER = 10001, 10002
ASK = """
import encodings.idna, os, socket, sys  # the first before the user changes, who may not read it
os.setuid(int(sys.argv[1]))
try:
    socket.create_connection((sys.argv[2], int(sys.argv[3])), 1).close()
except TimeoutError:
    print("let out")  # into a network where nobody is
except ConnectionRefusedError:
    print("refused")
else:
    print("answered")
"""
LISTEN = """
import socket, time
sockets = [socket.create_server(("127.0.0.1", port)) for port in (19200, 5000)]
print("ready", flush=True)
time.sleep(60)
"""


def test_its_ports_are_those_of_the_stores_and_the_page() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    published = {port.split(":")[1] for service in services.values() for port in service.get("ports", [])}
    (ports,) = re.findall(r"proto-dst \{ ([\d, ]+) \}", RULES.read_text())
    assert set(ports.split(", ")) == published | {"8600"}
    (user,) = re.findall(r"meta skuid != (\d+) accept", RULES.read_text())
    assert f"USER {user}:" in (ROOT / "Dockerfile").read_text()


@pytest.mark.skipif(not NFT or os.geteuid() != 0, reason="needs root, for a network of its own, and nftables")
def test_the_page_s_user_reaches_the_stores_whom_the_site_lists_and_nobody_else(tmp_path: Path) -> None:
    rules = RULES.read_text().replace("# elements = { 192.0.2.10 . 443,", "elements = { 192.0.2.10 . 443,")
    (tmp_path / "rules.nft").write_text(rules)
    (tmp_path / "listen.py").write_text(LISTEN)
    (tmp_path / "ask.py").write_text(ASK)
    asked = [
        (APPLICATION, "127.0.0.1", 19200),
        (APPLICATION, "127.0.0.1", 5000),
        (APPLICATION, "192.0.2.10", 443),
        (APPLICATION, "192.0.2.10", 80),
        (APPLICATION, "192.0.2.11", 443),
        (ANOTHER, "127.0.0.1", 5000),
        (ANOTHER, "192.0.2.11", 443),
    ]
    lines = [
        "set -e",
        "ip link set lo up",
        "ip tuntap add dev out mode tun",
        "ip address add 192.0.2.1/24 dev out",
        "ip link set out up",
        *[f"{NFT} -f rules.nft"] * 2,  # a second time changes nothing
        f"{sys.executable} listen.py > ready &",
        "trap 'kill $!' EXIT",
        "until grep -q ready ready; do sleep 0.05; done",
        *(f"{sys.executable} -I ask.py {user} {host} {port}" for user, host, port in asked),
    ]
    script = "\n".join(lines)
    said = subprocess.run(
        ["unshare", "-n", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert dict(zip(asked, said.stdout.split("\n"), strict=False)) == {
        (APPLICATION, "127.0.0.1", 19200): "answered",
        (APPLICATION, "127.0.0.1", 5000): "refused",
        (APPLICATION, "192.0.2.10", 443): "let out",
        (APPLICATION, "192.0.2.10", 80): "refused",
        (APPLICATION, "192.0.2.11", 443): "refused",
        (ANOTHER, "127.0.0.1", 5000): "answered",
        (ANOTHER, "192.0.2.11", 443): "let out",
    }

"""The station's access point lets a phone in with its screen's password, gives it an address, and serves."""

import json
import re
import shlex
from pathlib import Path
from typing import Final

import msgspec
import zxingcpp

from demo.processes import free_port
from station.appliance.network import AIR
from tests.boot.guests import FILE, GuestStation, card_file
from tests.boot.machine import Machine, MachineFault
from tests.boot.shell import Shell
from tests.boot.site import ANSWER_S, Broken, Site

_MOVES: Final = Path(__file__).with_name("guest_air.py")
_IN: Final = "ip netns exec phone"
_ADDRESS: Final = "/run/phone-address"
_GIVEN: Final = f"""\
#!/bin/sh
[ "$1" = bound ] || exit 0
ip address add "$ip/$mask" dev "$interface"
echo "$ip/$mask ${{router:-none}} ${{dns:-none}}" > {_ADDRESS}
"""
"""A script for udhcpc that sets an address, and notes what else it was given."""
_FETCHES: Final = """\
import hashlib, http.client, json, ssl, sys
trust = ssl.create_default_context()
trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
asked = http.client.HTTPSConnection(sys.argv[1], timeout=20, context=trust)
asked.request("GET", "/")
answer = asked.getresponse()
certificate = hashlib.sha256(asked.sock.getpeercert(True) if asked.sock else b"").hexdigest()
print(json.dumps([answer.status, "<html" in answer.read().decode(), certificate]))
"""


class Invited(msgspec.Struct, frozen=True):
    """The texts that a phone's camera reads from the station's own screen."""

    name: str
    password: str
    page: str


def run_air(site: Site) -> None:
    """Start with two radios: the station has one of them, somebody with a phone the other."""
    key, public = site.key()
    card = site.card({FILE: card_file(public).encode()})
    port = free_port()
    with site.board(card, https_port=port, tools=True) as board:
        shell = site.shell(key)
        station = GuestStation(site, board, shell, port)
        station.comes_up()
        if shell.run("modinfo -n mac80211_hwsim || true") == "":
            raise Broken("the image's kernel has no driver of simulated radios (mac80211_hwsim)")
        _two_radios(shell)
        station.becomes("the station has a radio", lambda status: status.has_radio)
        station.becomes(
            "its address by air", lambda status: any(str(AIR.ip) in page for page in status.pages)
        )
        plan = station.shows_its_plan("with-a-radio")
        invited = _invited(board)
        site.say(f"the own screen's codes: Wi-Fi {invited.name}, page {invited.page}; {plan.codes[0].title}")
        begun = board.age_s
        _is_refused(board, shell, invited)
        _joins(site, board, shell, invited)
        site.measure(
            "a phone until it is in the station's Wi-Fi and has an address", board.age_s - begun, "s"
        )
        _is_served(site, shell, invited, station.status().fingerprint)


def _two_radios(shell: Shell) -> None:
    """The kernel's simulated radios; the second one is at once the phone's, in a network of its own."""
    shell.run("modprobe mac80211_hwsim radios=2 && ip netns add phone && udevadm settle")
    radio = shell.run("cat /sys/class/net/wlan1/phy80211/index")
    shell.run(f"python3 -c {shlex.quote(_MOVES.read_text(encoding='utf-8'))} {radio} /run/netns/phone")
    shell.run(f"{_IN} ip link set wlan1 up")


def _invited(board: Machine) -> Invited:
    """The two codes of the own screen. Raises Broken where they cannot be read."""
    said = [code.text for code in zxingcpp.read_barcodes(board.screen())]
    page = next((text for text in said if text.startswith("https://")), "")
    wifi = next((text for text in said if text.startswith("WIFI:")), "")
    match = re.fullmatch(r"WIFI:T:WPA;S:([^;]*);P:([^;]*);;", wifi)
    if match is None or not page:
        raise Broken(f"the codes on the screen say {said}")
    return Invited(match[1], match[2], page)


def _configured(shell: Shell, invited: Invited) -> None:
    network = f'network={{\n ssid="{invited.name}"\n psk="{invited.password}"\n key_mgmt=WPA-PSK\n}}\n'
    text = f"ctrl_interface=/run/phone\n{network}"
    shell.run(f"umask 077; printf %s {shlex.quote(text)} > /run/phone.conf")
    shell.run(f"{_IN} wpa_supplicant -B -i wlan1 -c /run/phone.conf -P /run/phone.pid")


def _says(shell: Shell) -> str:
    return shell.run(f"{_IN} wpa_cli -p /run/phone -i wlan1 status || true")


def _is_refused(board: Machine, shell: Shell, invited: Invited) -> None:
    """With another password nobody gets in. Raises Broken for who does."""
    _configured(shell, msgspec.structs.replace(invited, password="x" * len(invited.password)))
    shell.run(f"{_IN} wpa_cli -p /run/phone -i wlan1 log_level WARNING > /dev/null")

    def is_locked_out() -> bool:
        if "wpa_state=COMPLETED" in _says(shell):
            raise Broken("a wrong password is let in")
        return "TEMP-DISABLED" in shell.run(f"{_IN} wpa_cli -p /run/phone -i wlan1 list_networks")

    board.wait_for("a wrong password is noticed", is_locked_out, ANSWER_S)
    shell.run("kill $(cat /run/phone.pid); while [ -e /run/phone.pid ]; do sleep 0.2; done")


def _joins(site: Site, board: Machine, shell: Shell, invited: Invited) -> None:
    _configured(shell, invited)
    try:
        board.wait_for("the phone is let in", lambda: "wpa_state=COMPLETED" in _says(shell), ANSWER_S)
    except MachineFault as fault:
        air = shell.run("journalctl -b -u saloon-station-air.service -o cat | tail -5")
        raise Broken(f"{fault}: {_says(shell)}; the access point: {air}") from fault
    shell.run(f"printf %s {shlex.quote(_GIVEN)} > /run/given && chmod +x /run/given")
    shell.run(f"{_IN} /usr/local/bin/busybox udhcpc -i wlan1 -n -q -f -t 10 -T 2 -s /run/given")
    address, router, names = shell.run(f"cat {_ADDRESS}").split()
    if (router, names) != ("none", "none"):
        raise Broken(f"the phone was given a way elsewhere: router {router}, names {names}")
    site.say(
        f"the phone is in with the password of the screen, as {address}, and with a wrong one it was not"
    )


def _is_served(site: Site, shell: Shell, invited: Invited, fingerprint: str) -> None:
    """The page by the address of the code, over HTTPS, from the station whose screen that is."""
    host = invited.page.removeprefix("https://").partition("/")[0]
    fetched = shell.run(f"{_IN} python3 -c {shlex.quote(_FETCHES)} {host}")
    status, is_page, certificate = json.loads(fetched)
    if status != 200 or not is_page:
        raise Broken(f"by air {host} answers with {status}")
    if certificate != fingerprint.replace(":", "").lower():
        raise Broken(f"the certificate by air is {certificate}, the screen says {fingerprint}")
    site.say(f"by air {host} serves its pages, with the certificate that the screen names")

"""What every driver shares: the accounts it is given, one line of JSON for each call, and no way off this machine."""

import json
import os
import socket
import sys
import traceback

SETUP = json.loads(os.environ["FOREIGN_SETUP"])
"""url, wsUrl, real and paper: each with appKey, appSecret, accountNumber, htsId."""


def _only_loopback(connect):
    def guarded(self, address):
        host = address[0] if isinstance(address, tuple) else address
        if host not in ("127.0.0.1", "localhost", "::1"):
            raise OSError(f"driver: {host} is not this machine")
        return connect(self, address)

    return guarded


socket.socket.connect = _only_loopback(socket.socket.connect)


def call(name, act):
    """Makes one call and tells how it went: what it returned in short, or what it raised."""
    try:
        detail = act()
        report = {"call": name, "ok": True, "detail": " ".join(str(detail if detail is not None else "").split())}
        result = detail
    except Exception as error:  # whatever a client raises is a result
        at = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({os.path.basename(at.filename)}:{at.lineno})"
        report = {"call": name, "ok": False, "detail": " ".join(detail.split())}
        result = None
    print(json.dumps(report, ensure_ascii=False), flush=True)
    return result


def must(condition, text):
    """A call that came back with the wrong thing has failed."""
    if not condition:
        raise AssertionError(text)
    return text


def done():
    """Clients leave threads behind; nothing is to wait for them."""
    sys.stdout.flush()
    os._exit(0)

"""Drives mojito (sharebook-kr/mojito) as its examples do."""

import sys
import threading

from driver import SETUP, call, done, must

try:
    import Crypto  # noqa: F401
except ImportError:
    # Debian calls the same package Cryptodome.
    import Cryptodome
    import Cryptodome.Cipher
    import Cryptodome.Cipher.AES
    import Cryptodome.Util
    import Cryptodome.Util.Padding

    for name, module in list(sys.modules.items()):
        if name.startswith("Cryptodome"):
            sys.modules[name.replace("Cryptodome", "Crypto", 1)] = module

import mojito
import mojito.koreainvestment as client

CODE = "005930"


def at_the_sim(self, mock=True):
    self.base_url = SETUP["url"]


client.KoreaInvestment.set_base_url = at_the_sim


def broker(account, mock):
    number = account["accountNumber"]
    return mojito.KoreaInvestment(
        api_key=account["appKey"],
        api_secret=account["appSecret"],
        acc_no=f"{number[:8]}-{number[8:]}",
        mock=mock,
    )


def good(reply):
    """The client hands on what it gets."""
    return must(reply["rt_cd"] == "0", f"{reply['msg_cd']} {reply['msg1'].strip()}")


def quotations(real):
    call("fetch_price", lambda: good(real.fetch_price(CODE)))
    call("fetch_ohlcv", lambda: must(len(good(real.fetch_ohlcv(CODE, "D", "20240701", "20240731"))) > 0, "days"))
    call("fetch_ohlcv_recent30", lambda: good(real.fetch_ohlcv_recent30(CODE)))
    call("fetch_today_1m_ohlcv", lambda: must(len(real.fetch_today_1m_ohlcv(CODE)["output2"]) > 0, "minutes"))
    call("fetch_oversea_price", lambda: good(client.KoreaInvestment.fetch_oversea_price(abroad(real), "NVDA")))


def abroad(real):
    real.exchange = "나스닥"
    return real


def queries(account, prefix=""):
    account.exchange = "서울"
    call(f"{prefix}fetch_balance", lambda: f"{len(account.fetch_balance()['output1'])} rows")
    call(f"{prefix}fetch_present_balance", lambda: f"{len(account.fetch_present_balance()['output1'])} rows")
    call(f"{prefix}check_buy_order", lambda: good(account.check_buy_order(CODE, 100_000, "00")))
    every = {"CTX_AREA_FK100": "", "CTX_AREA_NK100": "", "INQR_DVSN_1": "0", "INQR_DVSN_2": "0"}
    call(f"{prefix}fetch_open_order", lambda: good(account.fetch_open_order(every)))


def orders(account, prefix=""):
    account.exchange = "서울"
    low = int(account.fetch_price(CODE)["output"]["stck_llam"])
    resting = {}

    def buy():
        resting.update(account.create_limit_buy_order(CODE, low, 2))
        return good(resting)

    def change(act):
        output = resting["output"]
        reply = act(output["KRX_FWDG_ORD_ORGNO"], output["ODNO"])
        good(reply)
        resting.update(reply)
        return "accepted"

    call(f"{prefix}create_limit_buy_order", buy)
    call(f"{prefix}modify_order", lambda: change(lambda branch, odno: account.modify_order(branch, odno, "00", low, 2, True)))
    call(f"{prefix}cancel_order", lambda: change(lambda branch, odno: account.cancel_order(branch, odno, 2, True)))
    call(f"{prefix}create_market_buy_order", lambda: good(account.create_market_buy_order(CODE, 2)))
    call(f"{prefix}create_market_sell_order", lambda: good(account.create_market_sell_order(CODE, 1)))
    call(f"{prefix}create_limit_buy_order off the grid", lambda: good(account.create_limit_buy_order(CODE, low + 1, 1)))


def events(real):
    secret = SETUP["real"]
    socket = client.KoreaInvestmentWS(secret["appKey"], secret["appSecret"], ["H0STCNT0", "H0STASP0"], [CODE], secret["htsId"])
    socket.base_url = SETUP["url"]
    address = client.websockets.connect
    client.websockets.connect = lambda uri, **more: address(SETUP["wsUrl"], **more)
    threading.Thread(target=socket.run, daemon=True).start()
    seen = {}

    def wait_for(kind):
        while kind not in seen:
            got, data = socket.queue.get(timeout=20)
            seen.setdefault(got, data)
        return kind

    call("WS 체결", lambda: must(wait_for("체결") and seen["체결"]["유가증권단축종목코드"] == CODE, "tick"))
    call("WS 호가", lambda: wait_for("호가"))
    call("create_market_buy_order for the notice", lambda: good(real.create_market_buy_order(CODE, 1)))
    call("WS 체잔", lambda: must(wait_for("체잔") and seen["체잔"]["주식단축종목코드"] == CODE, "notice"))


real = call("KoreaInvestment", lambda: broker(SETUP["real"], False))
quotations(real)
queries(real)
orders(real)
events(real)
paper = call("paper KoreaInvestment", lambda: broker(SETUP["paper"], True))
queries(paper, "paper ")
orders(paper, "paper ")
done()

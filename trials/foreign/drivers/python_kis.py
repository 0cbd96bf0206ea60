"""Drives python-kis (Soju06/python-kis) as its README does."""

import time
from datetime import date, timedelta

from driver import SETUP, call, done, must

import typing_extensions

if not hasattr(typing_extensions, "deprecated"):
    # Debian's is older than that mark, which does nothing at run time.
    typing_extensions.deprecated = lambda *_, **__: lambda marked: marked

import pykis.client.websocket as socket_client
import pykis.kis as rest_client
from pykis import PyKis

rest_client.REAL_DOMAIN = rest_client.VIRTUAL_DOMAIN = SETUP["url"]
socket_client.WEBSOCKET_REAL_DOMAIN = socket_client.WEBSOCKET_VIRTUAL_DOMAIN = SETUP["wsUrl"]

REAL, PAPER = SETUP["real"], SETUP["paper"]
CODE = "005930"
WAIT_SECONDS = 20


def dashed(account):
    return f"{account[:8]}-{account[8:]}"


def waited(happened, what):
    end = time.time() + WAIT_SECONDS
    while time.time() < end:
        if happened():
            return what
        time.sleep(0.05)
    raise TimeoutError(f"no {what} in {WAIT_SECONDS} s")


def real():
    return PyKis(
        id=REAL["htsId"],
        account=dashed(REAL["accountNumber"]),
        appkey=REAL["appKey"],
        secretkey=REAL["appSecret"],
        keep_token=False,
    )


def paper():
    return PyKis(
        id=REAL["htsId"],
        account=dashed(PAPER["accountNumber"]),
        appkey=REAL["appKey"],
        secretkey=REAL["appSecret"],
        token=kis.token,
        virtual_id=PAPER["htsId"],
        virtual_appkey=PAPER["appKey"],
        virtual_secretkey=PAPER["appSecret"],
        keep_token=False,
    )


def quotations(kis):
    stock = call("stock", lambda: kis.stock(CODE))
    call("stock.info", lambda: must(stock.info.name != "", stock.info.name))
    call("stock.quote", lambda: must(stock.quote().price > 0, "priced"))
    call("stock.quote highs and lows", lambda: must(stock.quote().indicator.week52_high > 0, "52 weeks"))
    call("stock.orderbook", lambda: must(len(stock.orderbook().asks) == 10, "10 asks"))
    call("stock.day_chart", lambda: must(len(stock.day_chart().bars) > 0, "minutes"))
    call("stock.day_chart(end)", lambda: must(len(stock.day_chart(end=stock.day_chart().bars[-1].time.time()).bars) > 0, "minutes"))
    month = {"start": date(2024, 7, 1), "end": date(2024, 7, 31)}
    call("stock.daily_chart day", lambda: must(len(stock.daily_chart(**month, period="day").bars) == 23, "23 days"))
    june = {"start": date(2024, 6, 1), "end": date(2024, 6, 30)}
    call("stock.daily_chart week", lambda: must(len(stock.daily_chart(**june, period="week").bars) == 4, "4 weeks"))
    call("stock.chart 1y", lambda: must(len(stock.chart("1y", period="month").bars) >= 12, "12 months"))
    call("kis.stock unknown", lambda: kis.stock("999999"))
    call("kis.stock NVDA", lambda: kis.stock("NVDA"))
    call("kis.stock NVDA in NASDAQ", lambda: kis.stock("NVDA", "NASDAQ").quote())
    return stock


def queries(account, prefix=""):
    start = date.today() - timedelta(days=30)
    call(f"{prefix}account.balance()", lambda: f"{len(account.balance().stocks)} stocks")
    call(f"{prefix}account.balance('KR')", lambda: f"{len(account.balance('KR').stocks)} stocks")
    call(f"{prefix}account.pending_orders()", lambda: f"{len(account.pending_orders().orders)} orders")
    call(f"{prefix}account.daily_orders()", lambda: f"{len(account.daily_orders(start=start).orders)} orders")
    call(f"{prefix}account.profits()", lambda: f"{len(account.profits(start=start).orders)} sales")


def orders(stock, prefix=""):
    low = stock.quote().low_limit
    call(f"{prefix}stock.orderable_amount", lambda: must(stock.orderable_amount(price=low).quantity > 0, "some"))
    resting = call(f"{prefix}stock.buy limit", lambda: stock.buy(price=low, qty=2))
    changed = call(f"{prefix}order.modify", lambda: resting.modify(qty=1))
    call(f"{prefix}order.cancel", lambda: (changed or resting).cancel())
    call(f"{prefix}stock.buy at market", lambda: stock.buy(qty=3))
    call(f"{prefix}stock.sell at market", lambda: stock.sell(qty=1))
    call(f"{prefix}stock.buy too much", lambda: stock.buy(price=low, qty=100_000_000))


def events(kis, stock):
    seen = {"price": [], "orderbook": [], "execution": []}
    tickets = []
    for name in ("price", "orderbook"):
        tickets.append(call(f"stock.on {name}", lambda: stock.on(name, lambda _, e, name=name: seen[name].append(e.response))))
        call(f"{name} event", lambda: waited(lambda: seen[name], "event"))
    tickets.append(call("account.on execution", lambda: kis.account().on("execution", lambda _, e: seen["execution"].append(e.response))))
    call("stock.buy for the notice", lambda: stock.buy(qty=1))
    call("execution event", lambda: waited(lambda: seen["execution"], "event"))


kis = call("PyKis", real)
stock = quotations(kis)
queries(kis.account())
orders(stock)
call("stock.quantity held", lambda: waited(lambda: kis.account().balance("KR").stock(CODE) is not None, "holding"))
events(kis, stock)
virtual = call("paper PyKis", paper)
queries(virtual.account(), "paper ")
orders(virtual.stock(CODE), "paper ")
done()

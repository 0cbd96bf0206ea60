"""Drives pykis (pjueon/pykis), a client of 2022 that sends no customer type and asks for a hash before every order."""

from driver import SETUP, call, done, must

import pykis

CODE = "005930"


def api(account, kind):
    number = account["accountNumber"]
    domain = pykis.DomainInfo(kind=kind)
    domain.base_url = SETUP["url"]
    return pykis.Api(
        key_info={"appkey": account["appKey"], "appsecret": account["appSecret"]},
        domain_info=domain,
        account_info={"account_code": number[:8], "product_code": number[8:]},
    )


def quotations(real):
    call("get_kr_current_price", lambda: must(real.get_kr_current_price(CODE) > 0, "priced"))
    call("get_kr_max_price", lambda: must(real.get_kr_max_price(CODE) > 0, "limit"))
    for unit in ("D", "W", "M"):
        call(f"get_kr_ohlcv {unit}", lambda unit=unit: must(len(real.get_kr_ohlcv(CODE, unit)) == 30, "30 rows"))
    call("get_os_current_price", lambda: real.get_os_current_price("NVDA", "NAS"))


def queries(account, prefix=""):
    call(f"{prefix}get_kr_buyable_cash", lambda: must(account.get_kr_buyable_cash() > 0, "cash"))
    call(f"{prefix}get_kr_stock_balance", lambda: f"{len(account.get_kr_stock_balance())} rows")
    call(f"{prefix}get_kr_deposit", lambda: must(account.get_kr_deposit() > 0, "cash"))
    call(f"{prefix}get_kr_orders", lambda: f"{len(account.get_kr_orders())} rows")
    call(f"{prefix}get_os_stock_balance", lambda: f"{len(account.get_os_stock_balance())} rows")
    call(f"{prefix}get_os_orders", lambda: f"{len(account.get_os_orders())} rows")


def orders(account, prefix=""):
    low = account.get_kr_min_price(CODE)
    resting = call(f"{prefix}buy_kr_stock limit", lambda: account.buy_kr_stock(CODE, 2, low)) or {}
    moved = call(f"{prefix}revise_kr_order", lambda: account.revise_kr_order(resting["ODNO"], low, order_branch=resting["KRX_FWDG_ORD_ORGNO"])) or {}
    call(f"{prefix}cancel_kr_order", lambda: account.cancel_kr_order(moved["output"]["ODNO"], order_branch=resting["KRX_FWDG_ORD_ORGNO"]))
    call(f"{prefix}buy_kr_stock at market", lambda: account.buy_kr_stock(CODE, 2, 0))
    call(f"{prefix}sell_kr_stock at market", lambda: account.sell_kr_stock(CODE, 1, 0))
    call(f"{prefix}sell_kr_stock too much", lambda: account.sell_kr_stock(CODE, 1_000, 0))


real = call("Api", lambda: api(SETUP["real"], "real"))
quotations(real)
queries(real)
orders(real)
paper = call("paper Api", lambda: api(SETUP["paper"], "virtual"))
queries(paper, "paper ")
orders(paper, "paper ")
done()

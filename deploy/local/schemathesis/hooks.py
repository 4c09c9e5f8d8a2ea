"""What schemathesis cannot know from the OpenAPI document: who calls, and what there is.

Generated requests name members and instruments at random, so nearly all would end at the first
check. Here a part of them gets real ones. FUZZ_ABOUT is the member that requests are about: the
caller, so that they get through, or another one, and then none of them may.
"""

import os
import zlib

import schemathesis

ABOUT = int(os.environ["FUZZ_ABOUT"])
IS_OTHER = os.environ["FUZZ_ABOUT"] != os.environ["FUZZ_CALLER"]
ORDER = int(os.environ["FUZZ_ORDER"])
CODES = ["005930", "KRW-BTC", "04020000", "AAPL"]
MEMBERS = {"id", "sid", "member_sid", "memberSid"}
INSTRUMENTS = {"code", "isuSrtCd", "targetCode"}


def dice(value, sides):
    """The same number for the same value, so that a seed repeats a whole run."""
    return zlib.crc32(repr(value).encode()) % sides


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def settle(values):
    """Replaces what may be valid; what was generated to be wrong stays wrong."""
    for name, value in list((values or {}).items()):
        if name in MEMBERS and is_whole(value) and 0 < value < 2**63:
            values[name] = ABOUT
        elif name in INSTRUMENTS and isinstance(value, str) and value and dice(value, 3):
            values[name] = CODES[dice(value, len(CODES))]
        elif name == "orderSid" and is_whole(value) and (IS_OTHER or dice(value, 2)):
            values[name] = ORDER
        elif name == "productSid" and is_whole(value) and value > 0 and dice(value, 2):
            values[name] = 1 + dice(value, 30)
        elif name == "juQty" and isinstance(value, (int, float)) and value > 0 and dice(value, 2):
            values[name] = 1 + dice(value, 3)
        elif name == "juPrc" and isinstance(value, (int, float)) and value > 0 and dice(value, 2):
            values[name] = 0


def names_a_member(case):
    body = case.body if isinstance(case.body, dict) else {}
    return any(
        values.get(name) == ABOUT
        for values in (case.path_parameters or {}, case.query or {}, body)
        for name in MEMBERS
    )


@schemathesis.hook
def filter_query(context, query):
    """An optional parameter may also be sent empty, which a list of words cannot say."""
    return "" not in (query or {}).values()


@schemathesis.hook
def before_call(context, case, kwargs):
    settle(case.path_parameters)
    settle(case.query)
    if isinstance(case.body, dict):
        settle(case.body)


@schemathesis.check
def nothing_of_another(context, response, case):
    """What names another member, or an order of theirs, is never answered."""
    if not IS_OTHER or not context:
        return
    order = (case.path_parameters or {}).get("orderSid")
    if names_a_member(case) or order == ORDER:
        status = response.status_code
        assert status >= 400, f"answered {status} about member {ABOUT}"

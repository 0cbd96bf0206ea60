import { T, type Sentence } from './titles.ts'

/** Section 3: fields that are seen. Those that only travel are held by the contract's schemas on both sides. */
export const ENTITIES: readonly Sentence[] = [
  [
    'stock: fields of the card, nxt shows NXT or KRX',
    T.card,
    T.detail,
    'sends the whole stock with the texts as typed',
  ],
  [
    'trade: gain and ratio computed on the client',
    T.trade,
    'a sold trade gains by its own price, an open one by the current price',
  ],
  ['admin list entry: userKey and socket', T.users],
  ['socket info', T.socket],
  ['executed order; another exchange means the NXT marker', T.executed],
  ['merged: by code and type, sum, ceiling of the average, no date', T.merged],
  ['open order', T.openOrders],
  ['brokerage balance', T.brokerBalance],
  ['gain day entry', T.gain],
  ['money entry: total = deposit + purchase + bank; three changes', T.moneyRows],
  ['login payload and reply', 'force kis login goes along with the log-in', 'an administrator lands on all users'],
  ['signup payload', T.joinSends],
  ['password change payload', 'user: PUT /api/user/user'],
  [
    'cookies: email, diggerAdmin, admin email, own id',
    'the session is out of reach of scripts; the hints are readable and trusted by nobody',
    'cookies are read by their whole name',
  ],
]

/** Section 4. */
export const STATES: readonly Sentence[] = [
  ['flags toggle by admins, saved before the screen updates', T.badge, T.badgeSaved],
  ['a trade is open until sold', T.oldTrade],
  [
    'user key: created with the admin’s password, deleted',
    'admin: POST /api/admin/8017/user/u2/userKey',
    'admin: DELETE /api/admin/8017/user/u1/userKey',
  ],
  ['socket: connected and disconnected by calls', T.socketPress],
  ['an open order is cancelled, then the list is read again', T.openMenu],
  ['views switch by query parameters', T.address, T.executedMenu, T.adminTrade],
  [
    'overlay by the counter, sheet open or closed',
    'the progress overlay is there while a call runs, and goes with the last',
    T.sheet,
  ],
]

/** Section 5. */
export const VALIDATION: readonly Sentence[] = [
  ['login, signup and password fields must be non-empty: required', T.wrong, T.required],
  ['password and confirmation must match: check password!', T.joinCheck, T.password],
  ['import requires a code: need code', T.needCode],
  ['prompts left empty are cancelled', T.prompts],
  ['dates are YYYYMMDD', T.readsUser, 'what is not a day is not taken for one'],
  [
    'dialog inputs are plain text without validation',
    'a dialog whose saving is refused stays open with what was typed',
    'sends the whole stock with the texts as typed',
  ],
]

/** Section 6. */
export const ROLES: readonly Sentence[] = [
  ['an admin login leads to the admin user page', 'an administrator lands on all users'],
  ['/admin pages and calls are for admins', T.refused, T.menuUser],
  ['socket icon and admin menu are for admins', T.account, T.others],
  [
    'card extras and badge toggles are for admins',
    'a user’s card has one item, no switches, and leads to the trades',
    T.badge,
  ],
  ['trade-page admin items, import, cancel-all, add stock', T.menuUser, T.menuAdmin],
  ['users see only their own data', T.refused],
]

/** Section 8. */
export const ERRORS: readonly Sentence[] = [
  ['a refusal is JSON with code and message', '%s becomes a problem with words'],
  [
    'LOGIN_REQUIRED redirects to /login',
    'LOGIN_REQUIRED leads to the log-in, whatever asked',
    'without a login every page leads to the login page',
  ],
  ['a caller’s handler is called', 'a page that fails says so and offers another try; it never looks empty'],
  ['NEED_USERKEY is ignored, any other code is an alert', T.needKey],
  ['admin multi-user fetches ignore errors', T.oneRefused],
  ['login failure alerts the server’s message', T.wrong],
  ['check password! and need code', T.joinCheck, T.password, T.needCode],
  ['confirmations: delete, sell all at a price, at market, one trade at current or market price', T.asked, T.sellTrade],
]

/** Section 9. */
export const CONSTANTS: readonly Sentence[] = [
  ['buy tax 0.015, sell tax 0.215', 'the flat rates of the trade page are this year’s', T.oldTrade],
  [
    'gain and gain ratio of a trade',
    'a sold trade gains by its own price, an open one by the current price',
    'of what is held, in won and percent',
  ],
  ['quick-fill values', T.edit],
  [
    'reset: lastBuyPrice null, remainCount and remainAmount 0',
    'reset forgets the last buy price and what remains',
    T.edit,
  ],
  ['split count default 1', T.asked],
  ['average and target rounded up, ratios with 2 decimals', T.average, 'percent %d with sign is %s'],
  ['YYYYMMDD, shown YY-MM-DD HH:mm:ss', 'an instant late in the UTC evening is already tomorrow', T.trade],
  ['quick ranges 1, 10, 30, 90, 360 days', T.menuUser, 'the last 10 days end today and are ten'],
  ['gain and money default to the month, executed orders to today', T.readsUser],
  ['defaults of the flags', T.readsUser],
  ['socket time gap', '%d ms have gone by: %s', T.socket],
  [
    'sheet: rows and title 60 px, capped, recalculated on resize',
    T.sheet,
    'a sheet is 60 px per row and title, never taller than the screen',
  ],
  ['stock dialog 300px', T.edit],
  ['stepper by one unit', '%s stepped by %d is %s'],
  ['theme: primary #1867C0, secondary #5CBBF6', T.card, T.theme],
  ['breakpoints: mobile is below lg, 1280 px', T.wide],
  ['a font family with weights 100 to 900', T.theme],
  ['thousands separators, ko-KR', 'thousands are separated and missing is a dash, never a zero'],
]

import type { Sentence } from './sentences.ts'

/**
 * Unit tests that prove sentences, by their titles: they lie in packages, which know nothing of this folder.
 * Their files let none pass that compares nothing; coverage.spec.ts holds them to it.
 */
export const UNIT_TESTS: Readonly<Record<string, readonly Sentence[]>> = {
  'links keep the current user, and lead to the owner from pages about everybody': [
    'in links {userId} is taken from the current path',
  ],
  '%s stepped by %d is %s': [
    'a number stepper adds or subtracts one unit; the field gives its value',
    'stepper by one unit',
  ],
  'only the texts true and false set a flag; anything else is its default': [
    'balance: withSavedGain default true, showDetail default false',
  ],
  'the average is rounded up to a won': [
    'average price rounded up',
    'average and target rounded up, ratios with 2 decimals',
  ],
  'is on the screen the price at which the order would rest, whatever the settings': [
    'target price when autoSellWithAvgPrice is on',
  ],
  'offers others only the trade screen, administrators everything': [
    'admin: orders, executed, cancel, sell, at price, at market, delete, modify',
  ],
  'previous and next go from what is shown, "this" from today': ['menu: this, previous, next month and year'],
  'totals add up, and the ratio of nothing bought is 0': ['gain totals; ratio 0 when nothing was bought'],
  'money changes are against the next listed entry; the last one has none': [
    'money: changes against the next listed entry, signed; the last has none',
    'money entry: total = deposit + purchase + bank; three changes',
  ],
  'the gap is what was sold minus what was bought, from the single rows': ['summary: BUY, SELL, GAP'],
  'sends the whole stock with the texts as typed': [
    'stock: fields of the card, nxt shows NXT or KRX',
    'dialog inputs are plain text without validation',
    'POST stock: the whole stock',
  ],
  'a sold trade gains by its own price, an open one by the current price': [
    'trade: gain and ratio computed on the client',
    'gain and gain ratio of a trade',
  ],
  'merging groups by code and side: quantities add up, the price is the average rounded up, the date goes': [
    'merged: by code and type, sum, ceiling of the average, no date',
  ],
  'the session is out of reach of scripts; the hints are readable and trusted by nobody': [
    'cookies: email, diggerAdmin, admin email, own id',
  ],
  'cookies are read by their whole name': ['cookies: email, diggerAdmin, admin email, own id'],
  'what is not a day is not taken for one': ['dates are YYYYMMDD'],
  'the contract and the routes are the same list': ['every method and path'],
  '%s becomes a problem with a message': ['a refusal is JSON with code and message'],
  'each side is taxed by its own day': ['buy tax 0.015, sell tax 0.215'],
  'of what is held, in won and percent': ['gain and gain ratio of a trade'],
  'reset forgets the last buy price and what remains': ['reset: lastBuyPrice null, remainCount and remainAmount 0'],
  'percent %d with sign is %s': ['average and target rounded up, ratios with 2 decimals'],
  'an instant late in the UTC evening is already tomorrow': ['YYYYMMDD, shown YY-MM-DD HH:mm:ss'],
  'the last 10 days end today and are ten': ['quick ranges 1, 10, 30, 90, 360 days'],
  '%d ms have gone by: %s': ['socket time gap'],
  'a sheet is 60 px per row and title, never taller than the screen': [
    'sheet: rows and title 60 px, capped, recalculated on resize',
  ],
  'thousands are separated and missing is a dash, never a zero': ['thousands separators, ko-KR'],
}

/** P10: what a price that concerns nobody costs, when one user waits for the stock and when ten thousand do. */
import { deepStrictEqual } from 'node:assert/strict'
import { Prices } from '@digger/prices'
import { realClock } from '@digger/database'
import { Live } from '@digger/screens'
import { FakeAccounts } from '@digger/engine/testing'
import { interleaved, median, ratios, cpuSpent, printFigure } from './measure.ts'

const CODE = '005930'
const USERS = 10_000
const TICKS = 2_000_000
/** A tick of the naive way costs as much as a million of ours. */
const NAIVE_TICKS = 500
/** Wake prices lie below this one. */
const QUIET = 70_000

interface Watched {
  readonly board: Prices
  readonly woken: string[]
  readonly wakePrices: Map<string, number>
}

function boardWith(users: number): Watched {
  const woken: string[] = []
  const live = new Live(new FakeAccounts(realClock), realClock)
  const board = new Prices(live, realClock)
  const wakePrices = new Map<string, number>()
  for (let user = 0; user < users; user += 1) {
    const wake = QUIET - 100 - ((user * 7_919) % 20_000)
    wakePrices.set(`user${user}`, wake)
    board.setTrigger({ wake: () => void woken.push(`user${user}`) }, CODE, wake)
  }
  // The first trade of a feed only re-bases.
  board.tickReceived({ code: CODE, price: QUIET, halted: false, base: 0, trade: true })
  return { board, woken, wakePrices }
}

/** The users whom a loop over all of them would wake. */
const naive = ({ wakePrices }: Watched, price: number): string[] =>
  [...wakePrices].filter(([, wake]) => wake >= price).map(([userId]) => userId)

function same(watched: Watched): void {
  for (const price of [QUIET, QUIET - 100, 65_432, 60_000, 50_001]) {
    watched.woken.length = 0
    watched.board.tickReceived({ code: CODE, price, halted: false, base: 0, trade: true })
    deepStrictEqual(watched.woken.toSorted(), naive(watched, price).toSorted())
  }
  watched.woken.length = 0
}

const [one, many] = [boardWith(1), boardWith(USERS)]
same(one)
same(many)
let loud = 0
/** As a decoded tick comes: one object. */
const seen = { code: CODE, price: QUIET, halted: false, base: 0, trade: true }
const ticks =
  ({ board }: Watched) =>
  () => {
    const start = cpuSpent()
    for (let tick = 0; tick < TICKS; tick += 1) {
      seen.price = QUIET + (tick % 50)
      board.tickReceived(seen)
    }
    return ((cpuSpent() - start) / TICKS) * 1_000
  }
const times = await interleaved({
  one: ticks(one),
  many: ticks(many),
  naive: () => {
    const start = cpuSpent()
    for (let tick = 0; tick < NAIVE_TICKS; tick += 1) {
      for (const wake of many.wakePrices.values()) if (wake >= QUIET + (tick % 50)) loud += 1
    }
    return ((cpuSpent() - start) / NAIVE_TICKS) * 1_000
  },
})
deepStrictEqual([one.woken, many.woken, loud], [[], [], 0])
printFigure('P10 a tick that triggers nobody, 10,000 users / 1 user', ratios(times['many'], times['one']), '≤ 20')
console.log(
  `    ns a tick: 1 user ${median(times['one'] ?? []).toFixed(0)}, 10,000 users ${median(times['many'] ?? []).toFixed(0)}, ` +
    `a loop over 10,000 users ${median(times['naive'] ?? []).toFixed(0)}`,
)

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { background } from '@digger/database'
import { TestClock } from '@digger/database/testing'
import { FakeAccounts, SETTINGS } from '@digger/engine/testing'
import { Live } from './live.ts'

let clock: TestClock
let accounts: FakeAccounts
let live: Live
beforeEach(() => {
  clock = new TestClock()
  accounts = new FakeAccounts(clock)
  live = new Live(accounts, clock)
})
afterEach(() => live.close())

async function hold(userId: string, ...codes: string[]): Promise<void> {
  await accounts.open(userId)
  const at = clock.now()
  for (const code of codes) {
    const issue = { code, kind: 'stock', market: 'KOSPI', nxt: true } as const
    accounts.happen(userId, { at, kind: 'stockAdded', code, name: code, issue, settings: SETTINGS })
  }
}

/** What a browser of the user was sent, as `code=price`, one line a bundle. */
function watch(userId: string): string[] {
  const bundles: string[] = []
  live.join(userId, {
    write: (frame) => {
      bundles.push(
        [...frame.matchAll(/"code":"(\w+)","price":(\d+)/g)].map(([, code, won]) => `${code}=${won}`).join(' '),
      )
      return true
    },
    end: () => undefined,
  })
  return bundles
}

/** Resolves when all that waited for a turn has had it. */
const turn = (): Promise<void> => background.own()

function change(code: string, price: number): void {
  accounts.prices.set(code, { price, at: clock.now() })
  live.priceChanged(code)
}

test('a price that comes after a pause is sent at once, the next ones together, newest only, to whoever holds the stock', async () => {
  await hold('both', '005930', '000660')
  await hold('one', '005930')
  await hold('none')
  const [both, one, none, unknown] = [watch('both'), watch('one'), watch('none'), watch('unknown')]
  change('005930', 70_000)
  // Whoever brought the price goes on first.
  expect([both, one]).toEqual([[], []])
  await turn()
  expect([both, one]).toEqual([['005930=70000'], ['005930=70000']])
  change('000660', 150_000)
  change('005930', 70_100)
  clock.advance(50)
  change('005930', 70_200)
  expect(both).toHaveLength(1)
  clock.advance(50)
  await turn()
  expect(both.slice(1)).toEqual(['000660=150000 005930=70200'])
  expect(one.slice(1)).toEqual(['005930=70200'])
  expect([none, unknown]).toEqual([[], []])
})

test('ten bundles a second at most, however many stocks change, and the last price always', async () => {
  const codes = Array.from({ length: 20 }, (_, n) => String(100_000 + n))
  await hold('one', ...codes)
  const bundles = watch('one')
  for (let ms = 0; ms < 1_000; ms += 1) {
    change(codes[ms % 20] ?? '', ms)
    clock.advance(1)
    await turn()
  }
  clock.advance(100)
  await turn()
  expect(bundles.length).toBeLessThanOrEqual(11)
  for (const [n, code] of codes.entries())
    expect(bundles.findLast((bundle) => bundle.includes(code))).toContain(`${code}=${980 + n}`)
})

test('a clock that is set back holds nothing from anybody: neither prices nor what else an open page shows', async () => {
  await hold('one', '005930')
  const frames: string[] = []
  live.join('one', { write: (frame) => frames.push(frame) > 0, end: () => undefined })
  change('005930', 70_000)
  live.publish('one', { kind: 'orders' })
  await turn()
  clock.setBack(3_600_000)
  for (const won of [70_100, 70_200]) {
    change('005930', won)
    live.publish('one', { kind: 'deposit' })
    clock.advance(100)
    await turn()
    clock.advance(100)
    expect(frames.splice(0).join('')).toMatch(
      new RegExp(`event: deposit[^]*"price":${won}|"price":${won}[^]*event: deposit`),
    )
  }
})

test('a stock that left the account while its price waited is not sent, and one that came is', async () => {
  await hold('one', '005930', '000660')
  const bundles = watch('one')
  change('005930', 70_000)
  await turn()
  change('000660', 150_000)
  change('035420', 200_000)
  accounts.happen('one', { at: clock.now(), kind: 'stockRemoved', code: '000660' })
  await hold('one', '035420')
  clock.advance(200)
  await turn()
  expect(bundles.join(' ')).toContain('035420=200000')
  expect(bundles.join(' ')).not.toContain('000660=150000')
})

test('streams are served after what is at hand, none is left out, and what changes meanwhile goes in the next round', async () => {
  const browsers: string[][] = []
  for (let n = 0; n < 50; n += 1) {
    await hold(`user${n}`, '005930')
    browsers.push(watch(`user${n}`))
  }
  const served = (price: number) => browsers.filter((bundles) => bundles.at(-1) === `005930=${price}`).length
  change('005930', 70_000)
  expect(served(70_000)).toBe(0)
  change('005930', 70_100)
  await turn()
  expect(served(70_000)).toBe(50)
  clock.advance(100)
  await turn()
  expect(served(70_100)).toBe(50)
})

test('an account that cannot be read keeps the next prices from nobody', async () => {
  await hold('one', '005930')
  const bundles = watch('one')
  const unreadable = vi.spyOn(accounts, 'book').mockImplementation(() => {
    throw new Error('cannot be read')
  })
  // Nothing of what was done before is under way.
  await new Promise((resolve) => void setImmediate(resolve))
  const later: (() => void)[] = []
  vi.stubGlobal('setImmediate', (run: () => void) => later.push(run))
  change('005930', 70_000)
  vi.unstubAllGlobals()
  expect(() => later.shift()?.()).toThrow('cannot be read')
  unreadable.mockRestore()
  await turn()
  change('005930', 70_100)
  clock.advance(100)
  await turn()
  expect(bundles).toEqual(['005930=70100'])
})

test('nothing is sent after the end', async () => {
  await hold('one', '005930')
  const bundles = watch('one')
  change('005930', 70_000)
  await turn()
  change('005930', 70_100)
  live.close()
  clock.advance(1_000)
  await turn()
  expect(bundles).toEqual(['005930=70000'])
})

test('a price comes with the day’s base, and with none where it is not known', async () => {
  await hold('one', '005930')
  const frames: string[] = []
  live.join('one', { write: (frame) => frames.push(frame) > 0, end: () => undefined })
  change('005930', 70_000)
  await turn()
  accounts.bases.set('005930', 69_000)
  clock.advance(1_000)
  change('005930', 70_100)
  await turn()
  expect(frames.map((frame) => /"base":(\w+)/.exec(frame)?.[1])).toEqual(['null', '69000'])
})

test('a stock of which an order became due comes anew, for whoever watches, and once more when it has left', async () => {
  await hold('one', '005930')
  await hold('two', '005930')
  const dues: unknown[] = []
  live.join('one', { write: (frame) => dues.push(/"due":(null|\{.*?\})/.exec(frame)?.[1]) > 0, end: () => undefined })
  accounts.setDue('one', '005930', { side: 'buy', since: clock.now() })
  accounts.setDue('two', '005930', { side: 'buy', since: clock.now() })
  clock.advance(1_000)
  accounts.setDue('one', '005930', null)
  accounts.setDue('one', '999999', null)
  clock.advance(1_000)
  expect(dues).toEqual([expect.stringContaining('"side":"buy"'), 'null'])
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TokenError } from '../errors.ts'
import { DEFAULT_TOKEN_TIMES, TokenManager } from './token.ts'
import type { IssueResult, StoredToken } from './token.ts'

const HOUR = 3_600_000
const { spacingMs, backOffMs, renewBeforeMs } = DEFAULT_TOKEN_TIMES
const tokenOf = (token: string, issuedAt: number): StoredToken => ({ token, issuedAt, expiresAt: issuedAt + 24 * HOUR })
const throttled: IssueResult = { kind: 'throttled', message: '1분당 1회' }
const failed: IssueResult = { kind: 'failed', error: new TokenError('거절', 'EGW00103') }

/** A token endpoint that replies when the test says so, a store in memory, and a clock that stands until moved. */
class TokenFixture {
  now = 1_000_000_000
  stored: StoredToken | null = null
  /** When the endpoint was asked. */
  readonly requests: number[] = []
  readonly problems: Error[] = []
  readonly #replies: ((result: IssueResult) => void)[] = []
  readonly tokens = new TokenManager({
    id: 'host:key',
    now: () => this.now,
    times: DEFAULT_TOKEN_TIMES,
    onProblem: (error) => this.problems.push(error),
    issue: () => {
      this.requests.push(this.now)
      const { promise, resolve } = Promise.withResolvers<IssueResult>()
      this.#replies.push(resolve)
      return promise
    },
    store: {
      load: async () => this.stored,
      save: async (_id, token) => {
        this.stored = token
      },
    },
  })

  /** Lets everything run that waits for nothing but its turn. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }

  async reply(result?: IssueResult): Promise<void> {
    await this.settle()
    const reply = this.#replies.shift()
    if (reply === undefined) throw new Error('the token endpoint was not asked')
    reply(result ?? { kind: 'issued', token: tokenOf(`t${this.requests.length}`, this.now) })
    await this.settle()
  }

  async first(): Promise<string> {
    const token = this.tokens.get()
    await this.reply()
    return token
  }
}

/** What became of many calls: each token, or the text of the error, with how many had it. */
async function tally(calls: readonly Promise<string>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(calls)) {
    const name =
      result.status === 'fulfilled' ? result.value : result.reason instanceof Error ? result.reason.message : ''
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe('under load', () => {
  test('fifty calls at the end of a token share one renewal', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now += 24 * HOUR - renewBeforeMs
    const calls = Array.from({ length: 50 }, () => broker.tokens.get())
    await broker.reply()
    expect(await tally(calls)).toEqual({ t2: 50 })
    expect(broker.requests).toHaveLength(2)
  })

  test('fifty calls that all met the dead token share one renewal, also those that come after it', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now += HOUR
    const calls = Array.from({ length: 25 }, () => broker.tokens.replace('t1'))
    await broker.reply()
    calls.push(...Array.from({ length: 25 }, () => broker.tokens.replace('t1')))
    expect(await tally(calls)).toEqual({ t2: 50 })
    expect(broker.requests).toHaveLength(2)
  })

  test('a call that comes while the token is being replaced does not ask for a third', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now += HOUR
    const replacing = broker.tokens.replace('t1')
    await broker.settle()
    const other = broker.tokens.replace('t1')
    await broker.reply()
    expect(await tally([replacing, other])).toEqual({ t2: 2 })
    expect(await broker.tokens.get()).toBe('t2')
    expect(broker.requests).toHaveLength(2)
  })

  test.each<[string, IssueResult, string]>([
    ['refused', failed, '거절'],
    ['throttled', throttled, '1분당 1회'],
  ])('%s: all callers fail at once, and later calls send no further request', async (_name, result, text) => {
    const broker = new TokenFixture()
    const calls = Array.from({ length: 50 }, () => broker.tokens.get())
    await broker.reply(result)
    expect(await tally(calls)).toEqual({ [text]: 50 })
    await expect(broker.tokens.get()).rejects.toThrow(TokenError)
    expect(broker.requests).toHaveLength(1)
  })

  test('an endpoint that never replies keeps the callers, and asks for nothing twice', async () => {
    const broker = new TokenFixture()
    const calls = [broker.tokens.get(), broker.tokens.get()]
    broker.now += HOUR
    calls.push(broker.tokens.get())
    await broker.settle()
    expect([broker.requests.length, broker.tokens.renewing]).toEqual([1, true])
    await broker.reply()
    expect(await tally(calls)).toEqual({ t1: 3 })
    expect(broker.tokens.renewing).toBe(false)
  })
})

describe('a renewal that is refused', () => {
  test('the old token stays in use until its last moment, then calls fail with the reason', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now += 24 * HOUR - renewBeforeMs
    const renewing = broker.tokens.get()
    await broker.reply(failed)
    expect(await renewing).toBe('t1')
    broker.now += renewBeforeMs
    const late = broker.tokens.get()
    await broker.reply(failed)
    await expect(late).rejects.toMatchObject({ code: 'EGW00103', message: '거절' })
  })

  test('the token the broker refused is not handed out in place of a new one', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now += HOUR
    const replacing = broker.tokens.replace('t1')
    await broker.reply(throttled)
    await expect(replacing).rejects.toThrow('1분당 1회')
  })

  test('after EGW00133 nothing is asked for the whole back-off, then once', async () => {
    const broker = new TokenFixture()
    const first = broker.tokens.get()
    await broker.reply(throttled)
    await expect(first).rejects.toThrow(TokenError)
    broker.now += backOffMs - 1
    await expect(broker.tokens.get()).rejects.toThrow('1초 뒤')
    expect(broker.requests).toHaveLength(1)
    broker.now += 1
    const second = broker.tokens.get()
    await broker.reply()
    expect(await second).toBe('t2')
  })
})

describe('a stored token', () => {
  test.each<[string, (now: number) => StoredToken, boolean]>([
    ['fresh', (now) => tokenOf('theirs', now - HOUR), true],
    ['about to end', (now) => tokenOf('theirs', now - 24 * HOUR + renewBeforeMs), false],
    ['ended', (now) => tokenOf('theirs', now - 25 * HOUR), false],
  ])('%s', async (_name, stored, adopted) => {
    const broker = new TokenFixture()
    broker.stored = stored(broker.now)
    const token = broker.tokens.get()
    await broker.settle()
    expect(broker.requests).toHaveLength(adopted ? 0 : 1)
    if (!adopted) await broker.reply()
    expect(await token).toBe(adopted ? 'theirs' : 't1')
  })

  test('that is older than ours is not taken back when the broker refuses ours', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.stored = tokenOf('older', broker.now - HOUR)
    broker.now += HOUR
    const replacing = broker.tokens.replace('t1')
    await broker.reply()
    expect(await replacing).toBe('t2')
  })

  test('that is the very one the broker refused is not taken', async () => {
    const broker = new TokenFixture()
    broker.stored = tokenOf('t0', broker.now - HOUR)
    expect(await broker.tokens.get()).toBe('t0')
    const replacing = broker.tokens.replace('t0')
    await broker.reply()
    expect(await replacing).toBe('t1')
  })
})

describe('a clock that was set back', () => {
  test('by a day: a dead token is replaced after the back-off, not after a day', async () => {
    const broker = new TokenFixture()
    await broker.first()
    broker.now -= 24 * HOUR
    await expect(broker.tokens.replace('t1')).rejects.toThrow(TokenError)
    broker.now += backOffMs
    const replacing = broker.tokens.replace('t1').catch((error: unknown) => error)
    await broker.reply()
    expect(await replacing).toBe('t2')
  })

  test('after EGW00133: the wait is not longer than the back-off', async () => {
    const broker = new TokenFixture()
    const first = broker.tokens.get()
    await broker.reply(throttled)
    await expect(first).rejects.toThrow(TokenError)
    broker.now -= 24 * HOUR
    await expect(broker.tokens.get()).rejects.toThrow(TokenError)
    broker.now += backOffMs
    const second = broker.tokens.get().catch((error: unknown) => error)
    await broker.reply()
    expect(await second).toBe('t2')
  })
})

const step = fc.record({
  passMs: fc.nat(3 * spacingMs),
  refused: fc.boolean(),
  result: fc.constantFrom<'issued' | 'throttled' | 'failed'>('issued', 'throttled', 'failed'),
})

test('whatever is asked and replied: never two requests within a minute, none in the back-off, no refused token', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const broker = new TokenFixture()
      let quietUntil = 0
      let last = 'none'
      for (const { passMs, refused, result } of steps) {
        broker.now += passMs
        const before = broker.requests.length
        const bad = last
        const call = refused ? broker.tokens.replace(bad) : broker.tokens.get()
        const outcome = call.then(
          (token) => token,
          () => null,
        )
        await broker.settle()
        const asked = broker.requests.length > before
        expect(asked && broker.now < quietUntil).toBe(false)
        if (asked) {
          quietUntil = broker.now + (result === 'throttled' ? backOffMs : spacingMs)
          await broker.reply(result === 'issued' ? undefined : result === 'throttled' ? throttled : failed)
        }
        const token = await outcome
        expect(refused && token === bad).toBe(false)
        if (token !== null) last = token
      }
    }),
    { numRuns: 200 },
  ))

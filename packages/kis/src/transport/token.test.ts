import { describe, expect, test } from 'vitest'
import { TokenError } from '../errors.ts'
import { TokenManager } from './token.ts'
import type { IssueResult, StoredToken } from './token.ts'

const HOUR = 3_600_000
const TIMES = { spacingMs: 60_000, backOffMs: 120_000, renewBeforeMs: HOUR / 2 }

/** A token endpoint and a store, both in memory, and a clock that stands until moved. */
function tokenFixture(answers: ('issue' | 'throttle' | 'fail' | 'silence')[] = []) {
  const state = { now: 1_000_000, issued: 0, stored: null as StoredToken | null, problems: [] as Error[] }
  const issue = async (): Promise<IssueResult> => {
    state.issued += 1
    const answer = answers.shift() ?? 'issue'
    if (answer === 'silence') {
      state.now += 20_000
      return { kind: 'failed', error: new TokenError('no answer') }
    }
    if (answer === 'throttle') return { kind: 'throttled', message: '1분당 1회' }
    if (answer === 'fail') return { kind: 'failed', error: new TokenError('거절', 'EGW00103') }
    return { kind: 'issued', token: tokenOf(`t${state.issued}`, state.now) }
  }
  const keeper = (): TokenManager =>
    new TokenManager({
      id: 'host:key',
      issue,
      now: () => state.now,
      times: TIMES,
      onProblem: (error) => state.problems.push(error),
      store: {
        load: async () => state.stored,
        save: async (_id, token) => {
          state.stored = token
        },
      },
    })
  return { state, keeper }
}
const tokenOf = (token: string, issuedAt: number): StoredToken => ({ token, issuedAt, expiresAt: issuedAt + 24 * HOUR })

test('many callers at once: one request', async () => {
  const { state, keeper } = tokenFixture()
  const kept = keeper()
  expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual(['t1', 't1', 't1'])
  expect(state.issued).toBe(1)
})

test('a restart uses the stored token', async () => {
  const { state, keeper } = tokenFixture()
  await keeper().get()
  state.now += 5 * HOUR
  expect(await keeper().get()).toBe('t1')
  expect(state.issued).toBe(1)
})

// Seed 5000 of the whole server: the request reached the broker just before it was given up, the next one came within a minute
// of that, and the pause after a refusal is two minutes.
test('after a request without an answer the minute counts from when it was given up: it may have arrived as late', async () => {
  const { state, keeper } = tokenFixture(['silence'])
  const kept = keeper()
  await expect(kept.get()).rejects.toThrow('no answer')
  state.now += 59_000
  await expect(kept.get()).rejects.toThrow('1초 뒤에')
  expect(state.issued).toBe(1)
  state.now += 1_000
  expect(await kept.get()).toBe('t2')
})

test('near its end a token is renewed; while that fails it stays in use to the last moment', async () => {
  const { state, keeper } = tokenFixture(['issue', 'throttle'])
  const kept = keeper()
  await kept.get()
  state.now += 24 * HOUR - HOUR / 4
  expect(await kept.get()).toBe('t1')
  expect(state.issued).toBe(2)
  // Silence for two minutes after EGW00133.
  state.now += 119_000
  expect(await kept.get()).toBe('t1')
  expect(state.issued).toBe(2)
  state.now += 2_000
  expect(await kept.get()).toBe('t3')
})

describe('a token the broker refuses', () => {
  test('is replaced once for all who met it', async () => {
    const { state, keeper } = tokenFixture()
    const kept = keeper()
    await kept.get()
    state.now += HOUR
    expect(await Promise.all([kept.replace('t1'), kept.replace('t1')])).toEqual(['t2', 't2'])
    expect(await kept.replace('t1')).toBe('t2')
    expect(state.issued).toBe(2)
  })

  test('is not replaced within a minute of its issue, and the message says when', async () => {
    const { state, keeper } = tokenFixture()
    const kept = keeper()
    await kept.get()
    state.now += 20_000
    await expect(kept.replace('t1')).rejects.toThrow('40초 뒤')
    expect(state.issued).toBe(1)
    // The next call tries the held one again instead of hammering the token endpoint.
    expect(await kept.get()).toBe('t1')
  })

  test('gives way to a newer one that another process stored', async () => {
    const { state, keeper } = tokenFixture()
    const kept = keeper()
    await kept.get()
    state.now += HOUR
    state.stored = tokenOf('theirs', state.now - 1_000)
    expect(await kept.replace('t1')).toBe('theirs')
    expect(state.issued).toBe(1)
  })
})

test('EGW00133 with a token stored meanwhile: that one is taken', async () => {
  const { state, keeper } = tokenFixture(['throttle'])
  const kept = keeper()
  const pending = kept.get()
  state.stored = tokenOf('theirs', state.now)
  expect(await pending).toBe('theirs')
})

test('wrong keys fail with the broker’s message and code, and cause no second request for a minute', async () => {
  const { state, keeper } = tokenFixture(['fail', 'fail'])
  const kept = keeper()
  await expect(kept.get()).rejects.toMatchObject({ code: 'EGW00103', message: '거절' })
  await expect(kept.get()).rejects.toThrow(TokenError)
  expect(state.issued).toBe(1)
})

const broken = async (): Promise<never> => {
  throw new Error('disk')
}

test('a store that fails is a problem to report, not a reason to stop', async () => {
  const { state } = tokenFixture()
  const kept = new TokenManager({
    id: 'x',
    issue: async () => ({ kind: 'issued', token: tokenOf('t', state.now) }),
    now: () => state.now,
    times: TIMES,
    onProblem: (error) => state.problems.push(error),
    store: { load: broken, save: broken },
  })
  expect(await kept.get()).toBe('t')
  expect(state.problems).toHaveLength(2)
})

import { expect, test } from 'vitest'
import type { KisSocket, KisSocketObserver, Notice, Tick } from '../api-socket.ts'
import { SocketObservers } from './socket-observers.ts'

const tick: Tick = {
  code: '005930',
  venue: 'KRX',
  price: 70_000,
  time: 93_354,
  open: 70_000,
  high: 70_000,
  low: 70_000,
  volume: 1,
  base: 70_000,
  trade: true,
  halted: false,
}
const notice: Notice = {
  accountNumber: '1234567801',
  odno: '0000000001',
  originalOdno: null,
  code: '005930',
  side: 'buy',
  kind: 'filled',
  count: 1,
  price: 70_000,
}
const socket: KisSocket = {
  watchedSince: () => null,
  state: 'connected',
  isWanted: true,
  heldElsewhere: false,
  isRefused: false,
  watched: new Set(),
  frames: 0,
  unanswered: 0,
  observe: () => undefined,
  connect: async () => undefined,
  watch: () => undefined,
  renewKey: async () => undefined,
  close: async () => undefined,
}
const broken = (): never => {
  throw new Error('bug')
}

test.each<[keyof KisSocketObserver, (observers: SocketObservers) => void, unknown[]]>([
  ['tickReceived', (observers) => observers.tickReceived(tick), [tick]],
  ['noticeReceived', (observers) => observers.noticeReceived(notice), [notice]],
  ['stateChanged', (observers) => observers.stateChanged('connected', 'up', socket), ['connected', 'up', socket]],
  ['timeReceived', (observers) => observers.timeReceived(1_000), [1_000]],
])('%s that throws is a problem, and the others are called', (name, happen, expected) => {
  const observers = new SocketObservers()
  const seen: unknown[] = []
  const problems: string[] = []
  observers.add({ [name]: broken })
  observers.add({})
  observers.add({
    [name]: (...values: unknown[]) => seen.push(...values),
    problemFound: ({ message }) => problems.push(message),
  })
  happen(observers)
  expect(seen).toEqual(expected)
  expect(problems).toEqual(['bug'])
})

test('an observer of problems that throws keeps them from nobody else', () => {
  const observers = new SocketObservers()
  const problems: string[] = []
  observers.add({ problemFound: broken })
  observers.add({ problemFound: ({ message }) => problems.push(message) })
  observers.problemFound(new Error('odd frame'))
  expect(problems).toEqual(['odd frame'])
})

test('a method finds the state of its own observer', () => {
  const observers = new SocketObservers()
  class LastPrice implements KisSocketObserver {
    #price = 0
    get price(): number {
      return this.#price
    }
    tickReceived({ price }: Tick): void {
      this.#price = price
    }
  }
  const last = new LastPrice()
  observers.add(last)
  observers.tickReceived(tick)
  expect(last.price).toBe(70_000)
})

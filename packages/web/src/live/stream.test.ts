import type { LiveEvent } from '@digger/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStream } from './stream.ts'

/** Stands in for the browser's own; the newest one is the stream that is open. */
class FakeEventSource extends EventTarget {
  static readonly OPEN = 1
  static newest: FakeEventSource
  readonly url: string
  readyState = FakeEventSource.OPEN
  constructor(url: string) {
    super()
    this.url = url
    FakeEventSource.newest = this
  }
  close(): void {
    this.readyState = 2
  }
  send(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout, setInterval, clearInterval }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function open() {
  const events: LiveEvent[] = []
  const states: [open: boolean, missed: boolean][] = []
  const close = openStream('u2', {
    onEvent: (event) => events.push(event),
    onOpen: (isOpen, missed) => states.push([isOpen, missed]),
  })
  return { events, states, close }
}

test('every kind of event of the contract arrives', () => {
  const { events, close } = open()
  const sent: LiveEvent[] = [
    { kind: 'prices', prices: [] },
    { kind: 'stocks', stocks: [] },
    { kind: 'removed', code: '005930' },
    { kind: 'trades', code: '005930', trades: [] },
    { kind: 'orders' },
    { kind: 'limits' },
    { kind: 'deposit' },
    { kind: 'socket', connected: true },
    {
      kind: 'stop',
      stops: { server: 'active', serverReason: null, user: 'active', stocks: [], reached: [], otherServer: null },
    },
    { kind: 'progress', task: '매도', done: 1, total: 3 },
  ]
  for (const { kind, ...data } of sent) FakeEventSource.newest.send(kind, data)
  expect(events).toEqual(sent)
  expect(FakeEventSource.newest.url).toBe('/api/u2/events')
  close()
})

test('a stream that breaks is opened again, and says that something may have been missed', () => {
  const { states, close } = open()
  const first = FakeEventSource.newest
  first.dispatchEvent(new Event('open'))
  first.dispatchEvent(new Event('error'))
  vi.advanceTimersByTime(500)
  expect(FakeEventSource.newest).not.toBe(first)
  FakeEventSource.newest.dispatchEvent(new Event('open'))
  expect(states).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ])
  close()
  vi.advanceTimersByTime(60_000)
  expect(FakeEventSource.newest.readyState).toBe(2)
})

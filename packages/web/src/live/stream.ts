import type { LiveEvent } from '@digger/contract'
import { paths } from '@digger/contract/paths'
import { urlOf } from '../api/call.ts'

/** Every kind of event of the contract: types fail where one is missing, for EventSource drops what nobody listens for. */
const KINDS = {
  prices: true,
  stocks: true,
  removed: true,
  trades: true,
  orders: true,
  limits: true,
  deposit: true,
  socket: true,
  stop: true,
  progress: true,
} as const satisfies Record<LiveEvent['kind'], true>
/** Waits between tries, ms: quick at first, then as slow as a server that is down deserves. */
const WAITS = [500, 1_000, 2_000, 5_000, 10_000]
/** How often a page that is awake looks at the clock, and the gap from which on it must have slept, ms. */
const LOOK_MS = 5_000
const ASLEEP_MS = 30_000

interface StreamHandlers {
  onEvent: (event: LiveEvent) => void
  /** True once the stream is open, false from the moment it broke. `missed`: something may have happened meanwhile. */
  onOpen: (open: boolean, missed: boolean) => void
}

/** Live events of one user until the returned function is called. Reconnects by itself, also where EventSource gives up. */
export function openStream(userId: string, { onEvent, onOpen }: StreamHandlers): () => void {
  let source: EventSource | null = null
  let timer = 0
  let tries = 0
  let missed = false
  let lookedAt = Date.now()

  const connect = () => {
    window.clearTimeout(timer)
    source?.close()
    source = new EventSource(urlOf(paths.events[1], { userId }))
    source.addEventListener('open', () => {
      tries = 0
      onOpen(true, missed)
      missed = false
    })
    source.addEventListener('error', retry)
    listen(source, onEvent)
  }
  // EventSource stops for good at an HTTP error, and waits its own time otherwise: we always start anew.
  const retry = () => {
    source?.close()
    missed = true
    onOpen(false, missed)
    window.clearTimeout(timer)
    timer = window.setTimeout(connect, WAITS[Math.min(tries, WAITS.length - 1)])
    tries += 1
  }
  // A phone that wakes up should not sit out the rest of a long wait. After a sleep the stream may look open and be dead.
  const wake = () => {
    const asleep = Date.now() - lookedAt > ASLEEP_MS
    lookedAt = Date.now()
    missed ||= asleep
    if (asleep || (document.visibilityState === 'visible' && source?.readyState !== EventSource.OPEN)) connect()
  }
  // Only a sleep: a stream that is broken has its own waits.
  const look = () => {
    if (Date.now() - lookedAt > ASLEEP_MS) wake()
    lookedAt = Date.now()
  }
  const looking = window.setInterval(look, LOOK_MS)

  connect()
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)
  return () => {
    window.clearTimeout(timer)
    window.clearInterval(looking)
    source?.close()
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
  }
}

function listen(source: EventSource, onEvent: StreamHandlers['onEvent']): void {
  for (const kind of Object.keys(KINDS)) {
    source.addEventListener(kind, (message: MessageEvent<string>) => {
      const event: LiveEvent = Object.assign(JSON.parse(message.data), { kind })
      onEvent(event)
    })
  }
}

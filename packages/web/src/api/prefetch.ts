/** A prefetched reply serves only at the start: later it would be an old one, ms. */
const MAX_AGE_MS = 5_000
/** The first picture waits at most this long for what it is to show, once all of its code is there, ms. */
const MAX_WAIT_MS = 100

interface Prefetched {
  /** When the request was sent, by the page's own clock, ms. */
  readonly askedAt: number
  /** Fails without a reply: then the read asks again, and shows the failure. */
  readonly reply: Promise<Response>
  /** Set once the whole text is there and it is no refusal. */
  body?: PrefetchedText
}
interface PrefetchedText {
  /** When it arrived, epoch ms. */
  readonly at: number
  readonly text: string
}

const prefetched = new Map<string, Prefetched>()

/** Asks for what the page of this address will read first, before the client's code is there. */
export function prefetch(path: string, search: string): void {
  const user = /^\/(?!kis\/)([^/]+)\/balance$/.exec(path)?.[1]
  if (user === undefined) return
  const saved = new URLSearchParams(search).get('withSavedGain') === 'false' ? 'false' : 'true'
  for (const url of [`/api/${user}/balance?withSavedGain=${saved}`, '/api/user/user']) {
    const entry: Prefetched = { askedAt: performance.now(), reply: fetchWhole(url, (body) => (entry.body = body)) }
    prefetched.set(url, entry)
    entry.reply.catch(() => prefetched.delete(url))
  }
}

async function fetchWhole(url: string, onText: (body: PrefetchedText) => void): Promise<Response> {
  const reply = await fetch(url, { credentials: 'same-origin' })
  const text = await reply.text()
  if (reply.ok) onText({ at: Date.now(), text })
  const { status, headers } = reply
  return new Response(text, { status, headers })
}

/** Waits a moment for the prefetched replies: a page that can be drawn whole at once is not drawn twice. */
export async function awaitPrefetched(): Promise<void> {
  const all = Promise.allSettled([...prefetched.values()].map(({ reply }) => reply))
  await Promise.race([all, new Promise((timeout) => setTimeout(timeout, MAX_WAIT_MS))])
}

/** The prefetched reply of this address, once. */
export const takePrefetched = (url: string): Promise<Response> | undefined => take(url)?.reply

/** Whether any reply is left to take: only at the start, while pages read on every drawing. */
export const hasPrefetched = (): boolean => prefetched.size > 0

/** The text that had arrived before anything was drawn, once. */
export const takePrefetchedText = (url: string): PrefetchedText | undefined =>
  prefetched.get(url)?.body && take(url)?.body

function take(url: string): Prefetched | undefined {
  const found = prefetched.get(url)
  prefetched.delete(url)
  return found !== undefined && performance.now() - found.askedAt < MAX_AGE_MS ? found : undefined
}

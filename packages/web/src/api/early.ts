/** An answer asked for early serves only at the start: later it would be an old one, ms. */
const FRESH_MS = 5_000
/** The first picture waits this long for what it is to show, once all of its code is there, ms. */
const PATIENCE_MS = 100

interface Early {
  /** When it was asked for, by the page's own clock, ms. */
  readonly askedAt: number
  /** Fails without an answer: then the read asks again, and tells. */
  readonly answer: Promise<Response>
  /** Set once it is whole and no refusal. `at`: epoch ms. */
  ready?: { readonly at: number; readonly text: string }
}

const early = new Map<string, Early>()

/** Asks for what the page of this address will read first, before the client is there. */
export function readEarly(path: string, search: string): void {
  const user = /^\/([^/]+)\/balance$/.exec(path)?.[1]
  if (user === undefined) return
  const saved = new URLSearchParams(search).get('withSavedGain') === 'false' ? 'false' : 'true'
  for (const url of [`/api/${user}/balance?withSavedGain=${saved}`, '/api/user/user']) {
    const asked: Early = { askedAt: performance.now(), answer: wholeAnswer(url, (text) => (asked.ready = text)) }
    early.set(url, asked)
    asked.answer.catch(() => early.delete(url))
  }
}

async function wholeAnswer(url: string, ready: (answer: { at: number; text: string }) => void): Promise<Response> {
  const reply = await fetch(url, { credentials: 'same-origin' })
  const text = await reply.text()
  if (reply.ok) ready({ at: Date.now(), text })
  const { status, headers } = reply
  return new Response(text, { status, headers })
}

/** Waits a moment for the early answers: a page that can be drawn whole at once is not drawn twice. */
export async function earlyAnswers(): Promise<void> {
  const all = Promise.allSettled([...early.values()].map(({ answer }) => answer))
  await Promise.race([all, new Promise((late) => setTimeout(late, PATIENCE_MS))])
}

/** The early answer of this address, once. */
export const takeEarly = (url: string): Promise<Response> | undefined => take(url)?.answer

/** Whether any early answer is left: only at the start, while pages read on every drawing. */
export const hasEarly = (): boolean => early.size > 0

/** The text that was answered before anything was drawn, once. `at`: epoch ms. */
export const takeReady = (url: string): { at: number; text: string } | undefined =>
  early.get(url)?.ready && take(url)?.ready

function take(url: string): Early | undefined {
  const found = early.get(url)
  early.delete(url)
  return found !== undefined && performance.now() - found.askedAt < FRESH_MS ? found : undefined
}

/** An answer asked for early serves only at the start: later it would be an old one, ms. */
const FRESH_MS = 5_000
const answers = new Map<string, { at: number; answer: Promise<Response> }>()

/** Asks for what the page of this address will read first, before the client is there. */
export function readEarly(path: string, search: string): void {
  const user = /^\/([^/]+)\/balance$/.exec(path)?.[1]
  if (user === undefined) return
  const saved = new URLSearchParams(search).get('withSavedGain') === 'false' ? 'false' : 'true'
  for (const url of [`/api/${user}/balance?withSavedGain=${saved}`, '/api/user/user']) {
    const answer = fetch(url, { credentials: 'same-origin' })
    // Without an answer the read asks again, and tells.
    answer.catch(() => answers.delete(url))
    answers.set(url, { at: performance.now(), answer })
  }
}

/** The early answer of this address, once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = answers.get(url)
  answers.delete(url)
  return early !== undefined && performance.now() - early.at < FRESH_MS ? early.answer : undefined
}

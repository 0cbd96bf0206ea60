import { Problem } from '@digger/contract'
import { NoReplyError, UserClient } from '../client/user-client.ts'

/** A person who sees nothing for so long has no answer, ms. */
const TIMEOUT_MS = 10_000
/** A log-in waits for the broker, up to 8 s; so long a gateway waits for a worker. */
const LOG_IN_TIMEOUT_MS = 40_000
const LOG_IN = '/api/login'
const NO_REPLY = 'no reply'
const NO_KEY = 'userKey false'
/** What happens meanwhile at any time: an order is filled, here or at the exchange; a fill moves the price that settings go by. */
const MEANWHILE: Readonly<Record<string, readonly string[]>> = {
  'POST /api/user/balance/cancel/…': ['NOT_FOUND', 'CONFLICT', 'REJECTED'],
  'POST /api/user/stock/…': ['CONFLICT'],
}

/** How people's calls were answered: how often, by call and code. */
export class Answers {
  readonly #counts = new Map<string, number>()

  count(method: string, path: string, code: string): void {
    const name = `${callOf(method, path)}: ${code}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)))
  }

  /** What nobody may be answered with while workers are replaced: anything but that it was done, or BUSY. */
  get problems(): string[] {
    return Object.entries(this.counts).flatMap(([name, count]) => {
      const [call = '', code = ''] = name.split(': ')
      if (code === 'OK' || code === 'BUSY' || MEANWHILE[call]?.includes(code) === true) return []
      return [`${count} × ${name}`]
    })
  }
}

/** Which call it was, whatever it was about: numbers of stocks and orders are left out. */
const callOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\?.*$/, '').replaceAll(/\/[^/]*\d[^/]*/g, '/…')}`

/** The code of an answer: OK, the product's own, or else the status. */
export function codeOf(status: number, text: string): string {
  if (status === 200) return isWithoutKey(text) ? NO_KEY : 'OK'
  try {
    return Problem.parse(JSON.parse(text)).code
  } catch {
    return `HTTP ${status}`
  }
}

/** What a page reads first says so, and asks for a log-in then. */
const isWithoutKey = (text: string): boolean => text.startsWith('{') && text.includes('"userKey":false')

/** A person's browser whose answers are counted. */
export class CountedClient extends UserClient {
  readonly #answers: Answers
  #lastCode = ''

  constructor(answers: Answers, cookie: string) {
    super(TIMEOUT_MS, cookie)
    this.#answers = answers
  }

  /** Of the last answer. */
  get lastCode(): string {
    return this.#lastCode
  }

  override async request(method: string, path: string, body?: object) {
    try {
      const reply = await super.request(method, path, body, path === LOG_IN ? LOG_IN_TIMEOUT_MS : TIMEOUT_MS)
      this.#lastCode = codeOf(reply.status, reply.text)
      return reply
    } catch (error) {
      this.#lastCode = error instanceof NoReplyError ? NO_REPLY : String(error)
      throw error
    } finally {
      this.#answers.count(method, path, this.#lastCode)
    }
  }
}

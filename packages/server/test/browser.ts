import { request } from 'undici'

interface Account {
  readonly email: string
  readonly password: string
  readonly appKey: string
  readonly appSecret: string
  readonly accountNumber: string
  readonly htsId: string
}

export interface BrowserReply {
  readonly title: string
  readonly status: number
  /** Headers and body; without the session's own cookie, which is meant for this browser. */
  readonly text: string
}

/** Somebody at a browser, on a real connection: remembers everything they were ever sent. */
export class Browser {
  readonly replies: BrowserReply[] = []
  readonly tokens: string[] = []
  /** What came over the live stream. */
  streamed = ''
  userId = ''
  #base: string
  readonly #account: Account
  #cookie = ''

  constructor(base: string, account: Account) {
    this.#base = base
    this.#account = account
  }

  /** The same person, the same cookies, at a server that was started again. */
  goTo(base: string): void {
    this.#base = base
  }

  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<BrowserReply> {
    return this.send(method, path, body === undefined ? null : JSON.stringify(body))
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body: string | null): Promise<BrowserReply> {
    const headers = { cookie: this.#cookie, ...(body === null ? {} : { 'content-type': 'application/json' }) }
    const reply = await request(this.#base + path, { method, headers, body })
    const { 'set-cookie': cookies, ...rest } = reply.headers
    const text = `${JSON.stringify(rest)}\n${await reply.body.text()}`
    if (typeof cookies === 'object' && path === '/api/login') this.#keep(cookies)
    const received = { title: `${method} ${path.split('?')[0]}`, status: reply.statusCode, text }
    this.replies.push(received)
    return received
  }

  async signUp(): Promise<void> {
    await this.#ok(await this.ask('POST', '/api/user/user', this.#account))
  }

  async logIn(password = this.#account.password): Promise<void> {
    const { text } = await this.#ok(await this.ask('POST', '/api/login', { email: this.#account.email, password }))
    this.userId = /"userId":"(\w+)"/.exec(text)?.[1] ?? ''
  }

  /** The live stream, until the function that comes back is called. */
  watch(): () => Promise<void> {
    const end = new AbortController()
    const reading = this.#listen(end.signal).catch(() => undefined)
    return async () => {
      end.abort()
      await reading
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { body } = await request(`${this.#base}/api/user/events`, { headers: { cookie: this.#cookie }, signal })
    for await (const part of body) this.streamed += String(part)
  }

  /** Throws for any status but 200. */
  async #ok(reply: BrowserReply): Promise<BrowserReply> {
    if (reply.status !== 200) throw new Error(`${reply.title}: ${reply.status} ${reply.text}`)
    return reply
  }

  #keep(cookies: readonly string[]): void {
    const pairs = cookies.map((cookie) => cookie.split(';', 1)[0] ?? '')
    this.#cookie = pairs.join('; ')
    const token = pairs.find((pair) => pair.startsWith('digger_session='))?.slice('digger_session='.length)
    if (token) this.tokens.push(token)
  }
}

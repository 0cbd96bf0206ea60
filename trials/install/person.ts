import { type Order, type Stock } from '@digger/contract'
import { demoCredentials } from '@digger/kis-sim'
import type { Machine } from './machine.ts'

export const PAPER_CUSTOMER = 10
export const EMAIL = 'owner@example.com'
const PASSWORD = 'a-password-of-the-trial'
export const STOCK = '005930'

/** Inside the machine: one request through the door of HTTPS, whose certificate is checked. */
const REQUEST = `
const https = require('node:https'), fs = require('node:fs')
const { name, method, path, body, cookie } = JSON.parse(Buffer.from(process.argv[1], 'base64').toString())
const headers = { host: name, cookie, origin: 'https://' + name }
if (body) headers['content-type'] = 'application/json'
const ca = fs.readFileSync('/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt')
https.request({ host: '127.0.0.1', port: 443, servername: name, ca, method, path, headers }, async (reply) => {
  let text = ''
  for await (const part of reply) text += part
  console.log(JSON.stringify({ status: reply.statusCode, text, cookies: reply.headers['set-cookie'] ?? [], hsts: reply.headers['strict-transport-security'] }))
}).end(body && JSON.stringify(body))`

interface Reply {
  readonly status: number
  readonly text: string
  readonly cookies: readonly string[]
  readonly hsts?: string
}

/** Somebody who opens the installed Digger in a browser. */
export class Person {
  readonly #machine: Machine
  readonly #name: string
  #cookie = ''

  constructor(machine: Machine, name: string) {
    this.#machine = machine
    this.#name = name
  }

  async request(method: string, path: string, body?: object): Promise<Reply> {
    const asked = { name: this.#name, method, path, body, cookie: this.#cookie }
    const packed = Buffer.from(JSON.stringify(asked)).toString('base64')
    const script = Buffer.from(REQUEST).toString('base64')
    const output = await this.#machine.command(`/opt/digger/node/bin/node -e "$(echo ${script} | base64 -d)" ${packed}`)
    const reply: Reply = JSON.parse(output)
    if (reply.cookies.length > 0) this.#cookie = reply.cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    return reply
  }

  async json<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.request(method, path, body)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }

  signUp = (): Promise<unknown> =>
    this.json('POST', '/api/user/user', { email: EMAIL, password: PASSWORD, ...demoCredentials(PAPER_CUSTOMER) })
  logIn = (): Promise<unknown> => this.json('POST', '/api/login', { email: EMAIL, password: PASSWORD })
  health = (): Promise<{ ok: boolean; env: string; armed: number; broker: string }> => this.json('GET', '/health')
  stocks = (): Promise<Stock[]> => this.json('GET', '/api/user/stock?showOnlyWatch=false')
  orders = (): Promise<Order[]> => this.json('GET', '/api/user/kis/order')
}

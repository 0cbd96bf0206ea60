import type { Fact, FaultKind, IssuedKeys, SimCash, SimHolding, SimOrder } from '@digger/kis-sim'
import type { Truth } from '../agreement/agreement.ts'

/** The pretend broker's control port, seen from another process. */
export class BrokerControl {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  prices = (): Promise<Record<string, number>> => this.#get('prices')
  /** The day's price limits. */
  limits = (): Promise<Record<string, { lower: number; upper: number }>> => this.#get('limits')
  liveOrders = (account: string): Promise<SimOrder[]> => this.#get(`orders?account=${account}&live=1`)
  holdings = (account: string): Promise<SimHolding[]> => this.#get(`holdings?account=${account}`)

  /** What really happened, in order. */
  events = (account: string): Promise<Fact[]> => this.#get(`events?account=${account}`)

  async truth(account: string, cashBefore: number): Promise<Truth> {
    const events = await this.events(account)
    const orders = await this.#get<SimOrder[]>(`orders?account=${account}`)
    const cash = await this.#get<SimCash>(`cash?account=${account}`)
    return { events, orders, holdings: await this.holdings(account), cashBefore, cashAfter: cash.settled }
  }

  /** One trade of the market. Throws outside the day's limits. */
  setPrice = (code: string, price: number): Promise<void> => this.#post('price', { code, price })
  /** Calls that were carried out, by the client's names of the endpoints. */
  calls = (): Promise<Record<string, number>> => this.#get('calls')

  /** Every token and approval key that it has handed out. */
  keys = (): Promise<IssuedKeys> => this.#get('keys')

  async addFault(kind: FaultKind, how: object): Promise<void> {
    await this.#post('faults', { kind, ...how })
  }

  /** How often faults of a kind have struck. */
  async faultCount(kind: FaultKind): Promise<number> {
    const { counts } = await this.#get<{ counts: Partial<Record<FaultKind, number>> }>('faults')
    return counts[kind] ?? 0
  }

  async clearFaults(): Promise<void> {
    const reply = await fetch(`${this.#url}/sim/faults`, { method: 'DELETE' })
    if (!reply.ok) throw new Error(await reply.text())
  }

  /** Every socket: silent from now on, or gone. */
  sockets = (what: 'freeze' | 'cut'): Promise<void> => this.#post('sockets', { what })
  /** Sockets drop, tokens are forgotten, orders stay. */
  restart = (): Promise<void> => this.#post('restart', {})
  expireTokens = (): Promise<void> => this.#post('tokens/expire', {})

  /** Nothing trades in these stocks any more; what waits, waits. */
  async halt(codes: Iterable<string>): Promise<void> {
    for (const code of codes) await this.#post('halt', { code, halted: true })
  }

  async #get<T>(path: string): Promise<T> {
    const reply = await fetch(`${this.#url}/sim/${path}`)
    if (!reply.ok) throw new Error(await reply.text())
    return JSON.parse(await reply.text())
  }

  async #post(path: string, body: object): Promise<void> {
    const reply = await fetch(`${this.#url}/sim/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(await reply.text())
  }
}

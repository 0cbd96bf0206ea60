import type { Fact } from '@digger/core'
import type { Database } from '@digger/database'
import type { AccountAttention, AccountsObserver } from '@digger/engine'
import { emptyBook } from '@digger/core'
import type { Outgoing, Sent } from '../../src/channels/channel.ts'
import { Notifications } from '../../src/notifications.ts'
import type { Address } from '../../src/outbox/addresses.ts'
import { filled, KEY, type TestAccount } from './fixture.ts'
import { ScaledClock } from './scaled-clock.ts'

/** A minute of the clock in a second. */
export const FACTOR = 120

export interface Arrived {
  /** Name of the channel, as `TestAccount.channel` was given it. */
  readonly channel: string
  readonly userId: string
  readonly id: string
  readonly text: string
}

/** The engine, the world outside and everything else around one process that tells people. */
export class LoopProcess {
  readonly clock: ScaledClock
  readonly arrived: Arrived[] = []
  readonly problems: unknown[] = []
  readonly run: Notifications
  shards: readonly number[]
  /** How often it looked whose it is to tell. */
  looks = 0
  /** Sends that are under way now, and at most. */
  inFlight = 0
  maxInFlight = 0
  answer: (arrived: Arrived) => Promise<Sent> | Sent = () => ({ kind: 'sent' })
  attention: () => Iterable<AccountAttention> = () => []
  readonly #observers = new Set<AccountsObserver>()

  constructor(database: Pick<Database, 'db' | 'owned'>, shards: readonly number[], clock = new ScaledClock(FACTOR)) {
    this.shards = shards
    this.clock = clock
    this.run = new Notifications({
      database,
      clock: this.clock,
      wall: this.clock,
      accounts: { observe: (observer) => this.#observe(observer), serverStopReason: () => null },
      shards: () => {
        this.looks += 1
        return this.shards
      },
      attention: () => this.attention(),
      timetable: () => ({ hours: 'krx', closed: new Set(), special: new Map() }),
      troubles: () => [],
      broker: () => 'ok',
      process: () => 'test',
      key: KEY,
      senders: { send: (address, outgoing) => this.#send(address, outgoing) },
      pageOf: (userId) => `https://digger.example/${userId}/notification`,
      problem: (_userId, error) => void this.problems.push(error),
    })
  }

  get observers(): number {
    return this.#observers.size
  }

  texts(channel = 'a'): string[] {
    return this.arrived.flatMap((one) => (one.channel === channel ? one.text : []))
  }

  /** As the mailbox of the account says it after a commit. */
  changed({ id: userId }: TestAccount, ...facts: readonly Fact[]): void {
    const book = emptyBook('20261116')
    for (const observer of this.#observers) observer.accountChanged?.({ userId, before: book, after: book, facts })
  }

  /** An order fills whole, and the account says so. */
  async fills(account: TestAccount, order: number, count = order): Promise<void> {
    await account.buy(order, count)
    this.changed(account, filled(order, count))
  }

  #observe(observer: AccountsObserver): () => void {
    this.#observers.add(observer)
    return () => void this.#observers.delete(observer)
  }

  async #send(address: Address, { id, title, lines }: Outgoing): Promise<Sent> {
    const arrived = { ...whereOf(address), id, text: [title, ...lines].join('\n') }
    this.inFlight += 1
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight)
    try {
      const sent = await this.answer(arrived)
      if (sent.kind === 'sent') this.arrived.push(arrived)
      return sent
    } finally {
      this.inFlight -= 1
    }
  }
}

/** The tests' channels are webhooks by their name; of others only the kind is of interest. */
function whereOf(address: Address): Pick<Arrived, 'channel' | 'userId'> {
  if (address.kind !== 'webhook') return { channel: address.kind, userId: '' }
  const { host, pathname } = new URL(address.url)
  return { channel: host.split('.')[0] ?? '', userId: pathname.slice(1) }
}

import type {
  AccountCommand,
  AnnouncedAction,
  Attention,
  Book,
  BuyAsked,
  BuyQuote,
  Comparison,
  Difference,
  MorningItem,
  Order,
  SaleCommand,
  SaleQuote,
  ServerLimits,
  StockOutlook,
  Stop,
  Stranger,
} from '@digger/core'
import type { KisCredentials, KisRest } from '@digger/kis'
import type { KnownStatuses, LastPrice } from '@digger/prices'
import type { AccountsObserver } from './observer.ts'

/** What the engine asks the broker before the account can decide. */
type ReadFromBroker = 'snapshot' | 'cash' | 'askedAt' | 'connected'
type AskedOf<C> = C extends AccountCommand ? Omit<C, ReadFromBroker> : never

/** What people (and the administrator) can ask of an account. Passes through the account's mailbox like a price does. */
export type Command = AskedOf<AccountCommand>

/** Names what somebody asks for. Asked again under it, it is answered as before and not done again. */
export interface CommandKey {
  readonly key: string
  /** What the key stands for; without it the command itself. Under a key that stands for something else nothing is done. */
  readonly call?: string
}

/** The key of one of several commands that a request is made of. */
export const partOf = ({ key, ...rest }: CommandKey, part: string): CommandKey => ({ key: `${key}/${part}`, ...rest })

/** The broker without its orders: those leave through the account's mailbox only. */
export type BrokerQueries = Omit<KisRest, 'order' | 'cancel'>

export interface SocketStatus {
  readonly connected: boolean
  /** The broker refused the key or the HTS ID, or gave no key that opens notices. */
  readonly refused: boolean
  readonly connectedAt: number | null
  /** Last order notice. */
  readonly orderedAt: number | null
  readonly disconnectedAt: number | null
  /** Last frame that carried a price. */
  readonly updatedAt: number | null
  readonly stocks: readonly { code: string; name: string; updatedAt: number | null }[]
}

/**
 * The one door to the accounts. Routes never touch an account's state: they read snapshots and ask.
 * A user whose key is absent has a book but no broker; commands that need it are refused with NEED_USERKEY.
 */
export interface Accounts {
  /** Loads the account of a new user. Idempotent. */
  open(userId: string): Promise<void>
  /** Immutable snapshot; cheap. Throws Refused NOT_FOUND for an unknown user. */
  book(userId: string): Book
  /** Whether the user's account is loaded. */
  has(userId: string): boolean
  /** Orders that rest at the broker and are not ours, as its list last showed them; newest first. */
  strangers(userId: string): readonly Stranger[]
  /** What the broker last said may be ordered for, won, and when it was asked; null: nobody had to ask yet. */
  orderable(userId: string): { readonly amount: number; readonly at: number } | null
  lastPrice(code: string): LastPrice | null
  /** What the exchange has designated the stock as, or does to its trading now. */
  statuses(code: string): KnownStatuses
  /** The base price of this KST day, won: the close before it, after what became of the share. Null: not known, or no day of trading. */
  dayBase(code: string): number | null
  /** What the depository has announced next of a stock: today or later. */
  announced(code: string): AnnouncedAction | null
  /** What it has announced for a day. */
  announcedOn(code: string, day: string): AnnouncedAction | null
  /** Why the engine did or did not act on a stock, and the prices it waits for. */
  outlook(userId: string, code: string): StockOutlook
  /** What the account's person is called for now, as it began to be worth a call. */
  attention(userId: string): readonly Attention[]
  /** What the account has before it trades by itself, and what it waits for. */
  morning(userId: string): readonly MorningItem[]
  /** When book and broker were last compared, and what differed. */
  comparison(userId: string): Comparison
  /** What a sale by hand would do now, decided as the sale itself would be. Null: there is no such stock. */
  saleQuote(userId: string, command: SaleCommand): SaleQuote | null
  /** The same of a buy by hand. */
  buyQuote(userId: string, asked: BuyAsked): BuyQuote | null
  /**
   * What everything shown of this account comes from: while each part is the same (`===`) nothing shown has changed.
   * What time alone changes (a price grown old, a session that ends) is looked at once a second, as the account does.
   */
  cacheValidators(userId: string): readonly unknown[]
  /**
   * Resolves when the command is durable and its first effects were sent; throws Refused. What waits for the broker's verdict
   * on its orders waits for that too, up to the time-out of `OrderOutcomes`. What was done under this key before is not done again,
   * and answered as then; Refused CONFLICT where the key stands for something else.
   */
  ask(userId: string, command: Command, key?: CommandKey): Promise<CommandDone>
  /** Whether something was done under this key, within some days. */
  hasDone(userId: string, key: string): boolean
  /** Gives the account its broker: connects, reconciles, arms. Idempotent. */
  unlock(userId: string, credentials: KisCredentials): Promise<void>
  /** Takes the broker away: closes the socket, forgets the secrets. */
  lock(userId: string): Promise<void>
  unlocked(userId: string): boolean
  /** For reading (balance, candles, stock info). Throws Refused NEED_USERKEY. */
  kis(userId: string): BrokerQueries
  socket(userId: string): SocketStatus
  connect(userId: string): Promise<void>
  disconnect(userId: string): Promise<void>
  /**
   * Server-wide stop: a stricter one takes effect in the same turn, a looser one once it is written. `seen`: version of the stop that
   * was there when somebody asked for it; a looser one is refused over any other.
   */
  setServerStop(stop: Stop, seen?: number): Promise<void>
  serverStop(): Stop
  /** Why the whole server is stopped, where no person stopped it. */
  serverStopReason(): string | null
  /** Nothing of any account is sent. */
  rehearsesAll(): boolean
  /** What the server's environment sets for every account. */
  readonly limits: ServerLimits
  /** Registers for what happens in all accounts from now on. Returns the way to leave. */
  observe(observer: AccountsObserver): () => void
}

export interface CommandDone {
  /** Of checkBalance and fixBalance. */
  readonly differences?: readonly Difference[]
  /** What was ordered, or rested already as it was asked for, with the broker's verdict. */
  readonly orders?: readonly Order[]
}

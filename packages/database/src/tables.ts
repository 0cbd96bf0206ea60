import type {
  AccountRow,
  CommandKeyRow,
  DecisionRow,
  JournalRow,
  OrderLotRow,
  OrderRow,
  StockRow,
} from './account-rows.ts'
import type { ColumnType, Generated } from 'kysely'
import type { CandleTables } from './candle-rows.ts'
import type { DayCorrection } from '@digger/core'
import type { FactorTables } from './factor-rows.ts'
import type { ExaminedRow } from './examined-rows.ts'
import type { NotificationTables } from './notification-rows.ts'
import type { SecretTables } from './secret-rows.ts'

/** Instants are epoch ms, money whole won, days KST `YYYYMMDD`; bigint columns come as JS numbers. */
export interface Tables extends NotificationTables, CandleTables, FactorTables, SecretTables {
  users: UsersTable
  login_budget: LoginBudgetRow
  known_device: { token_hash: Buffer; user_id: string; seen_at: number }
  login_failed: LoginFailedRow
  /** `why`: the reason of a stop that no person set. `version` counts its changes, by whomever. */
  server_setting: { name: string; value: string; why: string | null; version: Generated<number> }
  /** Written by the migrator. */
  kysely_migration: { name: string; timestamp: string; by_version: string | null }
  vault: VaultRow
  retired_master: { mark: string; retired_at: number }
  admin_key: AdminKeyRow
  vault_share: { user_id: string; admin_id: string; sealed: Buffer }
  /** Sealed for one worker; see `KeyShares`. */
  key_share: { user_id: string; recipient: string; key_version: number; sealed: Buffer }
  broker_token: { user_id: string; env: string; sealed: Buffer; expires_at: number }
  audit: Omit<AuditRow, 'id' | 'stage' | 'asked_id'> & {
    id: Generated<number>
    stage: Generated<AuditRow['stage']>
    asked_id: Generated<number | null>
  }
  money_day: MoneyDayRow
  ordered: OrderedRow
  engine_holder: EngineHolderRow
  /** `worker`: whose it is; null where the one server owns all. */
  shard: ShardRow
  shard_move: ShardMoveRow
  /** The processes that share the accounts, where there are several. */
  worker: WorkerRow
  /** The watcher beside the server: how often it has looked, and what keeps it from looking. */
  watcher: { id: number; looks: number; trouble: string | null }
  watcher_finding: { key: string; user_id: string; at: number; what: string }
  account: AccountRow
  journal: JournalRow
  /** What an account would have done that is only rehearsed; a row is as in the journal. */
  shadow_fact: JournalRow
  decision: DecisionRow
  command_key: CommandKeyRow
  closing_price: { code: string; day: string; close: number; base: number }
  /** Days of the exchange as an operator says they are. */
  calendar_day: CalendarDayRow
  stock: StockRow
  trade: TradeRow
  account_order: OrderRow
  connection_check: { user_id: string; at: number; report: ColumnType<ExaminedRow[], string, string> }
  job: JobRow
  job_item: JobItemRow
  order_lot: OrderLotRow
}

/** Work for many users, worked off one by one by whoever has their accounts. */
export interface JobRow {
  id: Generated<number>
  kind: string
  /** Who must not wait for whom: each lane is worked off in its own order. */
  lane: string
  /** One job of a kind has it; null where there may be any number. */
  key: string | null
  /** Null: the server itself. */
  by_user: string | null
  by_email: string
  at: number
  /** What has not begun by then does not begin any more. */
  begin_by: number
  cancelled_at: number | null
  finished_at: number | null
}

export type JobItemState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface JobItemRow {
  job_id: number
  user_id: string
  lane: string
  shard: number
  /** Place in the list of its job, from 1. */
  position: number
  state: JobItemState
  /** A sentence for the person who asked. */
  result: string | null
  started_at: number | null
  finished_at: number | null
  /** The process that works or worked on it. */
  runner: string | null
  /** How often it was begun. */
  attempts: number
}

export interface CalendarDayRow {
  day: string
  correction: DayCorrection
  at: number
  by_email: string
}

export interface UserRow {
  id: string
  email: string
  password_hash: string
  digger_admin: boolean
  account_masked: string
  account_mark: Buffer
  bank_balance: number
  created_at: number
  /** Until when a password that the operator made opens; null for one's own. */
  password_ends_at: number | null
  /** Beside administrators, who always may. */
  may_add_stocks: boolean
}
type UsersTable = Omit<UserRow, 'may_add_stocks'> & { may_add_stocks: Generated<boolean> }

/** The process that trades this database, as its machine knows it. */
export interface EngineHolderRow {
  id: number
  host: string
  pid: number
  /** Process numbers mean something only within it. */
  pid_namespace: string
  boot_id: string
  /** Ticks since boot at which it started. */
  started: string
  /** How often its kernel sends again what is not acknowledged (`net.ipv4.tcp_retries2`); null where there is no such thing. */
  tcp_retries: number | null
  seen_at: number
}

export interface ShardRow {
  id: number
  epoch: number
  worker: string | null
  released: Generated<boolean>
  /** Who let it go, where nobody has had it since. */
  former: Generated<string | null>
  /** The highest number of facts that an owner of it could write. */
  facts: Generated<number>
}

/** Shards that a worker took in one transaction. */
export interface ShardMoveRow {
  id: Generated<number>
  at: Generated<Date>
  worker: string
  former: string | null
  /** `free`: nobody had them; `released`: let go in order; `dead`: their owner was found dead; `again`: they were its own by the tables. */
  why: 'free' | 'released' | 'dead' | 'again'
  shards: number
}

/** One process of several, as its machine knows it. */
export interface WorkerRow extends Omit<EngineHolderRow, 'id' | 'seen_at'> {
  id: string
  version: string
  /** Which facts its program reads, by `FACTS_VERSION`. */
  facts: Generated<number>
  since: Generated<Date>
  /** Number of the advisory lock that its session holds. */
  lock: number
  /** Its lease, by the clock of the database. */
  until: ColumnType<Date, Date | string, Date | string>
  draining: Generated<boolean>
  /** What is sealed for it alone, and that a worker made it; null from a version before. */
  public_key: Buffer | null
  proof: Buffer | null
  /** The same for whoever has only the public half of the workers' secret. */
  signature: Generated<Buffer | null>
  /** Found dead: what it owned may be taken, and it must not go on. */
  buried: Generated<boolean>
  /** Version of the server's stop that it has applied. */
  stop_seen: Generated<number>
}

/** What is left of the tries of an e-mail, an address, a device: it is all there again at `full_at`. */
export interface LoginBudgetRow {
  subject: string
  full_at: number
}

/** Wrong passwords for a user within an hour. */
export interface LoginFailedRow {
  user_id: string
  /** Begin of the hour, epoch ms. */
  hour: number
  count: number
  last_at: number
  last_address: string
}

export interface VaultRow {
  user_id: string
  credentials: Buffer
  by_password: Buffer | null
  password_salt: Buffer | null
  by_master: Buffer | null
  master_mark: string | null
  held: boolean
  changed_at: number
  /** Version of the data key: 0 from before keys had versions. */
  key_version: number
  /** The next log-in with the password makes a new data key. */
  rotation_due: boolean
  /** Cost of Argon2id for `by_password`; null from before it was stored. */
  password_cost: string | null
}

export interface AdminKeyRow {
  admin_id: string
  public_key: Buffer
  private_by_password: Buffer
  password_salt: Buffer
  created_at: number
  /** Version of the pair. */
  key_version: number
  password_cost: string | null
}

export interface AuditRow {
  id: number
  at: number
  user_id: string
  by_email: string
  action: string
  detail: string
  /** `asked` is followed by an `outcome`, or by `dropped` when it never became an action; `whole` is both in one row. */
  stage: 'whole' | 'asked' | 'outcome' | 'dropped'
  /** Of an outcome: the row that asked. */
  asked_id: number | null
}

export interface MoneyDayRow {
  user_id: string
  day: string
  deposit_amount: number
  stock_buy_amount: number
  bank_balance: number
  updated_at: number
}

export interface OrderedRow {
  user_id: string
  day: string
  odno: string
  code: string
  name: string
  side: 'buy' | 'sell'
  venue: string
  /** Filled shares and what they cost or brought, won. */
  count: number
  amount: number
  ordered_at: number
}

/** A lot of the book, closed when sold. The accounts write it. */
export interface TradeRow {
  user_id: string
  id: number
  code: string
  count: number
  buy_price: number
  buy_amount: number
  bought_at: number
  buy_order_id: number | null
  held_back: boolean
  taken_over: boolean
  by_person: boolean
  /** Won. */
  bought_before: number
  sell_price: number | null
  sell_amount: number | null
  sold_at: number | null
  sell_day: string | null
  closed: boolean
  fee: number | null
  tax: number | null
}

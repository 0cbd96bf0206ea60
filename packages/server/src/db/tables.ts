import type { AccountRow, JournalRow, OrderLotRow, OrderRow, StockRow } from '../accounts/rows.ts'
import type { Generated } from 'kysely'

/** Instants are epoch ms, money whole won, days KST `YYYYMMDD`; bigint columns come as JS numbers. */
export interface Tables {
  users: UserRow
  session: SessionRow
  login_failure: LoginFailureRow
  server_setting: { name: string; value: string }
  /** The migrator's own. */
  kysely_migration: { name: string; timestamp: string; by_version: string | null }
  vault: VaultRow
  admin_key: AdminKeyRow
  vault_share: { user_id: string; admin_id: string; sealed: Buffer }
  broker_token: { user_id: string; env: string; sealed: Buffer; expires_at: number }
  audit: Omit<AuditRow, 'id'> & { id: Generated<number> }
  money_day: MoneyDayRow
  ordered: OrderedRow
  account: AccountRow
  journal: JournalRow
  stock: StockRow
  trade: TradeRow
  account_order: OrderRow
  order_lot: OrderLotRow
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
}

export interface SessionRow {
  token_hash: Buffer
  user_id: string
  created_at: number
  seen_at: number
  expires_at: number
}

/** Failed log-ins of an e-mail address or a network address. */
export interface LoginFailureRow {
  subject: string
  failures: number
  last_at: number
  blocked_until: number
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
  /** Of the data key: 0 from before keys had versions. */
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
  /** Of the pair. */
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

/** Written by the accounts. A lot of the book; closed when sold. */
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
  sell_price: number | null
  sell_amount: number | null
  sold_at: number | null
  sell_day: string | null
  closed: boolean
  fee: number | null
  tax: number | null
}

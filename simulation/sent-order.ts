import type { Process } from './machine/process.ts'

/** A new order in the instant its last byte was written by a server. */
export interface SentOrder {
  readonly process: Process
  /** Ms since the start of the run. */
  readonly at: number
  /** Ten digits. */
  readonly account: string
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly count: number
  /** 0: at the market's price. */
  readonly price: number
}

import type { Timetable } from '@digger/core'
import { inspect, type KeyReply, type KisRest, type KisStockInfo } from '@digger/kis'
import { readBody, type Reply, type Row } from './reply.ts'

/** What reads at the broker. Orders are no part of it, and from inside a check they are refused before they leave. */
export type Readings = Pick<
  KisRest,
  | 'env'
  | 'quote'
  | 'orderBook'
  | 'dayCandles'
  | 'minuteCandles'
  | 'stockInfo'
  | 'holidays'
  | 'balance'
  | 'buyable'
  | 'sellable'
  | 'executions'
  | 'openOrders'
  | 'periodProfit'
  | 'periodTradeProfit'
  | 'announcements'
>

/** The connection that is examined, and what its owner believes of the market. */
export interface Subject {
  readonly rest: Readings
  /** The market's time as the caller has it, epoch ms. */
  readonly now: () => number
  /** The clock of this machine, which the broker's is compared with, epoch ms. */
  readonly wall: () => number
  readonly timetable: Timetable
  /** The stock that is looked at closely: traded on KRX and NXT. */
  readonly code: string
}

/** What one question brought: the client's reading or its failure, and every reply to it as it came. */
export interface Asked<T> {
  readonly value: T | null
  readonly error: Error | null
  readonly replies: readonly Reply[]
}

/** What one check found and a later one compares with. Won; of the stock that is looked at closely. */
export interface Seen {
  info?: KisStockInfo
  base?: number
  upper?: number
  lastClose?: number
  /** As they came. */
  quote?: Row
  infoRow?: Row
  /** D+2. */
  deposit?: number
  /** Rows of the balance, and of all orders of the last days, each once. */
  holdings?: readonly Row[]
  orders?: readonly Row[]
}

/** What was thrown, whatever it is. */
export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

export interface Timed<T> {
  readonly reply: T
  /** Epoch ms. */
  readonly at: number
}

/** Asks for the checks, and keeps all replies of the run. */
export class Examiner {
  readonly subject: Subject
  readonly replies: Reply[] = []
  /** When each reply came, by this machine's clock. */
  readonly times = new Map<Reply, number>()
  /** Replies to requests for tokens that the questions led to, each with the market's time when it came. */
  readonly keyReplies: Timed<KeyReply>[] = []
  readonly seen: Seen = {}
  /** Replies whose fields were judged already. */
  readonly judged = new Set<Reply>()

  constructor(subject: Subject) {
    this.subject = subject
  }

  async ask<T>(question: (rest: Readings) => Promise<T>): Promise<Asked<T>> {
    const replies: Reply[] = []
    const replyReceived = (raw: Parameters<typeof readBody>[0]): void => {
      const reply = readBody(raw)
      replies.push(reply)
      this.replies.push(reply)
      this.times.set(reply, this.subject.wall())
    }
    const keyReceived = (reply: KeyReply): void => void this.keyReplies.push({ reply, at: this.subject.now() })
    try {
      const value = await inspect({ replyReceived, keyReceived }, () => question(this.subject.rest))
      return { value, error: null, replies }
    } catch (error) {
      return { value: null, error: errorOf(error), replies }
    }
  }
}

import type { Stock, StockHistory } from '@digger/contract'
import { endsOf } from './figures.ts'
import type { Request, Run, Way, WorkerReply } from './protocol.ts'
import { savedSettings } from './tried.ts'

/** What came of one stock of many. */
export type Line =
  | { readonly kind: 'done'; readonly run: Run; readonly days: number }
  /** Nothing is kept yet, or not for this range. */
  | { readonly kind: 'none'; readonly note: string | null }
  | { readonly kind: 'failed' }

export interface StockLine {
  readonly stock: Stock
  /** Null: its turn has not come. */
  readonly line: Line | null
}

/** One worker, asked for one stock after the other. */
export class StockRuns {
  readonly #post: (request: Request) => void
  #waiting: ((reply: WorkerReply) => void) | null = null

  constructor(post: (request: Request) => void) {
    this.#post = post
  }

  receive(reply: WorkerReply): void {
    this.#waiting?.(reply)
    this.#waiting = null
  }

  async lineOf(stock: Stock, history: StockHistory): Promise<Line> {
    const { days, open, high, low, close, kind, market, code, progress } = history
    if (days.length === 0) return { kind: 'none', note: progress.note }
    const { promise, resolve } = Promise.withResolvers<WorkerReply>()
    this.#waiting = resolve
    const columns = { days, open, high, low, close }
    this.#post({ kind: 'stock', code, columns, issue: { kind, market }, settings: savedSettings(stock) })
    const reply = await promise
    return reply.kind === 'stock' ? { kind: 'done', run: reply.run, days: reply.days } : { kind: 'failed' }
  }
}

/** A figure of all stocks together, from the lower to the higher; null until one is done. */
export function sumOf(lines: readonly StockLine[], of: (way: Way) => number): readonly [number, number] | null {
  const runs = lines.flatMap(({ line }) => (line?.kind === 'done' ? [line.run] : []))
  if (runs.length === 0) return null
  return runs.map((run) => endsOf(run, of)).reduce((sum, [low, high]) => [sum[0] + low, sum[1] + high], [0, 0])
}

/** What lines are sorted by: the unkind way, null where nothing is known. */
export const worseOf =
  (of: (way: Way) => number) =>
  ({ line }: StockLine): number | null =>
    line?.kind === 'done' ? of(line.run.both.unkind) : null

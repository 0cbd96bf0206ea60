import type { BarColumns, IssueKind, MapCell, Market, Run, Settings } from '@digger/core'

export type { Run, Way } from '@digger/core'

export type Unit = 'day' | 'minute'

export interface Issue {
  readonly kind: IssueKind
  readonly market: Market
}

/** The bars of a range put together in as many places as a chart has room for, oldest first. */
export interface Frame {
  /** Where each place begins: `YYYYMMDD`, of minutes with `HHMMSS`. */
  readonly times: readonly string[]
  readonly low: Float64Array<ArrayBuffer>
  readonly high: Float64Array<ArrayBuffer>
  readonly close: Float64Array<ArrayBuffer>
  readonly bars: number
  readonly days: number
}

/** What was traded and gained by place of the frame. */
export interface Traded {
  /** Of the unkind way: how often was bought and sold. */
  readonly buys: Uint32Array<ArrayBuffer>
  readonly sells: Uint32Array<ArrayBuffer>
  /** All that was gained up to there, the worse and the better of both ways; won. */
  readonly worse: Float64Array<ArrayBuffer>
  readonly better: Float64Array<ArrayBuffer>
}

/** What the page asks of the worker. Every request has one reply, in turn. */
export type Request =
  | { readonly kind: 'columns'; readonly unit: Unit; readonly columns: BarColumns; readonly issue: Issue }
  /** Bars from a day on, for a chart of so many places: those that `run` and `row` mean from now on. */
  | { readonly kind: 'frame'; readonly id: number; readonly unit: Unit; readonly from: string; readonly places: number }
  /** `saved`: to compare with; null: the same settings. */
  | { readonly kind: 'run'; readonly settings: Settings; readonly saved: Settings | null }
  | {
      /** Some cells of a row of the map. */
      readonly kind: 'row'
      /** Id of the map it is a part of. */
      readonly map: number
      readonly settings: Settings
      readonly buyPercent: number
      readonly sellPercents: readonly number[]
    }
  /** One stock of many, without a picture. */
  | {
      readonly kind: 'stock'
      readonly code: string
      readonly columns: BarColumns
      readonly issue: Issue
      readonly settings: Settings
    }

/** `frame`: id of the frame it was made from. */
export type WorkerReply =
  | { readonly kind: 'columns' }
  | { readonly kind: 'frame'; readonly id: number; readonly frame: Frame }
  | {
      readonly kind: 'run'
      readonly frame: number
      readonly run: Run
      readonly saved: Run | null
      readonly traded: Traded
    }
  | { readonly kind: 'row'; readonly map: number; readonly cells: readonly MapCell[] }
  | { readonly kind: 'stock'; readonly code: string; readonly run: Run; readonly days: number }
  /** The bars contradict themselves, or there are none. */
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string }

import type { BarColumns, MapCell, Settings } from '@digger/core'
import type { Cells } from './mapCells.ts'
import type { Frame, Issue, Request, Run, Traded, Unit, WorkerReply } from './protocol.ts'
import { RehearsalQueue } from './rehearsalQueue.ts'

export interface Outcome {
  readonly run: Run
  /** Null: what is saved is the same. */
  readonly saved: Run | null
  readonly traded: Traded
}

/** Sizes of the steps down and up, without signs. */
export interface Axes {
  readonly downs: readonly number[]
  readonly ups: readonly number[]
}

export interface Rehearsed {
  /** Of the range that `outcome` is of; they change together. */
  readonly frame: Frame | null
  readonly outcome: Outcome | null
  /** The newest map all of which is there; null: none yet. */
  readonly map: { readonly cells: Cells; readonly axes: Axes } | null
  /** Another map is on its way, of other settings or around other steps. */
  readonly isOldMap: boolean
  /** Why nothing can be computed. */
  readonly problem: string | null
}

export const NOTHING_YET: Rehearsed = { frame: null, outcome: null, map: null, isOldMap: false, problem: null }
const NO_BARS = '이 기간의 시세로는 계산할 수 없습니다. 다른 기간을 골라 주세요.'

/** So few cells are computed before a run that waits: of minutes with thousands of trades a cell takes milliseconds. */
const CELLS = 7

const partsOf = (ups: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(ups.length / CELLS) }, (_, at) => ups.slice(at * CELLS, (at + 1) * CELLS))

interface Chart {
  /** The first day of the range; '' for all. */
  readonly from: string
  readonly places: number
}

/** What is known of trading the past again, and what is still to be asked of the worker for it. */
export class RehearsalStore {
  readonly #history: Extract<Request, { kind: 'columns' }>
  #queue: RehearsalQueue | null = null
  readonly #listeners = new Set<() => void>()
  #state = NOTHING_YET
  #frame: { id: number; frame: Frame | null } = { id: 0, frame: null }
  #map: { id: number; axes: Axes; rows: MapCell[][] } | null = null
  #asked = { frame: '', run: '', map: '' }

  constructor(unit: Unit, { days, times, open, high, low, close }: BarColumns, issue: Issue) {
    this.#history = { kind: 'columns', unit, columns: { days, times, open, high, low, close }, issue }
  }

  /** To a worker that has been asked nothing yet. Before, and after `disconnect`, whatever is wanted is not asked. */
  connect(post: (request: Request) => void): void {
    this.#queue = new RehearsalQueue(post, (reply) => this.#take(reply))
    this.#asked = { frame: '', run: '', map: '' }
    this.#queue.send(this.#history)
  }

  disconnect(): void {
    this.#queue?.close()
    this.#queue = null
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get state(): Rehearsed {
    return this.#state
  }

  /** What was computed of another range is no longer wanted. */
  frame(chart: Chart): void {
    if (!this.#isNew('frame', chart)) return
    this.#asked = { ...this.#asked, run: '', map: '' }
    this.#map = null
    this.#frame = { id: this.#frame.id + 1, frame: null }
    this.#queue?.send({ kind: 'frame', id: this.#frame.id, unit: this.#history.unit, ...chart })
  }

  run(settings: Settings, saved: Settings): void {
    if (!this.#isNew('run', [settings, saved])) return
    const isSame = JSON.stringify(settings) === JSON.stringify(saved)
    this.#queue?.run({ kind: 'run', settings, saved: isSame ? null : saved })
  }

  /** A map is of all settings but for the two that are its axes. */
  map(settings: Settings, axes: Axes): void {
    const others = { ...settings, buyPercent: 0, sellPercent: 0 }
    if (!this.#isNew('map', [others, axes])) return
    const id = (this.#map?.id ?? this.#frame.id * 1_000) + 1
    this.#map = { id, axes, rows: [] }
    this.#set({ isOldMap: true })
    const parts = partsOf(axes.ups)
    this.#queue?.rows(
      axes.downs.flatMap((down) =>
        parts.map((sellPercents) => ({ kind: 'row', map: id, settings, buyPercent: -down, sellPercents })),
      ),
    )
  }

  receive(reply: WorkerReply): void {
    this.#queue?.receive(reply)
  }

  fail(problem: string): void {
    this.#set({ ...NOTHING_YET, problem })
  }

  #isNew(what: 'frame' | 'run' | 'map', asked: unknown): boolean {
    if (this.#queue === null) return false
    const key = JSON.stringify(asked)
    if (this.#asked[what] === key) return false
    this.#asked = { ...this.#asked, [what]: key }
    return true
  }

  #take(reply: WorkerReply): void {
    switch (reply.kind) {
      case 'frame':
        if (reply.id === this.#frame.id) this.#frame = reply
        return
      case 'run': {
        const { id, frame } = this.#frame
        if (reply.frame === id) this.#set({ frame, outcome: reply, problem: null })
        return
      }
      case 'row':
        return this.#takeRow(reply)
      case 'failed':
        return this.fail(NO_BARS)
      case 'columns':
      case 'stock':
    }
  }

  #takeRow({ map, cells }: Extract<WorkerReply, { kind: 'row' }>): void {
    const wanted = this.#map
    if (wanted?.id !== map) return
    const { axes, rows } = wanted
    const row = rows.at(-1)
    if (row === undefined || row.length === axes.ups.length) rows.push([...cells])
    else row.push(...cells)
    if (rows.length === axes.downs.length && rows.at(-1)?.length === axes.ups.length)
      this.#set({ map: { cells: rows, axes }, isOldMap: false })
  }

  #set(change: Partial<Rehearsed>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

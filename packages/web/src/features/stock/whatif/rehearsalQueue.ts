import type { Request, WorkerReply } from './protocol.ts'

type RunRequest = Extract<Request, { kind: 'run' }>
type RowRequest = Extract<Request, { kind: 'row' }>

/** The map is computed on once nobody has moved a slider for so long, ms. */
export const REST_MS = 200

/** One request at a time goes to the worker. Of runs only the latest waits, and rows of the map wait until no more runs come. */
export class RehearsalQueue {
  readonly #post: (request: Request) => void
  readonly #onReply: (reply: WorkerReply) => void
  readonly #first: Request[] = []
  #run: RunRequest | null = null
  #rows: readonly RowRequest[] = []
  #isBusy = false
  #moving: ReturnType<typeof setTimeout> | null = null

  constructor(post: (request: Request) => void, onReply: (reply: WorkerReply) => void) {
    this.#post = post
    this.#onReply = onReply
  }

  /** Whatever waits for the bars of before is dropped with a new frame. */
  send(request: Exclude<Request, RunRequest | RowRequest>): void {
    if (request.kind === 'frame') {
      this.#run = null
      this.#rows = []
    }
    this.#first.push(request)
    this.#next()
  }

  run(request: RunRequest): void {
    this.#run = request
    if (this.#moving !== null) clearTimeout(this.#moving)
    this.#moving = setTimeout(() => {
      this.#moving = null
      this.#next()
    }, REST_MS)
    this.#next()
  }

  /** In place of the rows that wait. */
  rows(requests: readonly RowRequest[]): void {
    this.#rows = requests
    this.#next()
  }

  /** To be called with what the worker answers. */
  receive(reply: WorkerReply): void {
    this.#isBusy = false
    this.#next()
    this.#onReply(reply)
  }

  /** Nothing more is asked. */
  close(): void {
    this.#isBusy = true
    if (this.#moving !== null) clearTimeout(this.#moving)
  }

  #next(): void {
    if (this.#isBusy) return
    const request = this.#first.shift() ?? this.#takeRun() ?? this.#takeRow()
    if (request === undefined) return
    this.#isBusy = true
    this.#post(request)
  }

  #takeRun(): RunRequest | undefined {
    const run = this.#run ?? undefined
    this.#run = null
    return run
  }

  #takeRow(): RowRequest | undefined {
    if (this.#moving !== null) return undefined
    const [row, ...rest] = this.#rows
    this.#rows = rest
    return row
  }
}

import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../errors.ts'
import { keepCompiledCode } from './compiled-code.ts'
import { DISK_FAILED, ENGINE_BROKEN } from './durable.ts'
import type { FromWorker, ToWorker, WorkerInput } from './messages.ts'

/** Nothing we ask takes longer; after it the engine hangs and only ending its thread helps. */
const ANSWER_TIMEOUT_MS = 60_000

interface Client {
  opened(): void
  bytes(bytes: Uint8Array): void
  failed(error: Error): void
}

/** The database's thread as the server sees it. It ends for good at the first failure: nothing half-trusted goes on. */
export class Engine {
  readonly #worker: Worker
  readonly #clients = new Map<number, Client>()
  readonly #fsyncs: Int32Array
  readonly #ready = Promise.withResolvers<boolean>()
  readonly #ended = Promise.withResolvers<Error>()
  #error: Error | null = null
  #stopping = false
  #lastNumber = 0
  #unanswered = 0
  #watchdog: NodeJS.Timeout | undefined

  constructor(folder: string) {
    const fsyncs = new SharedArrayBuffer(4)
    this.#fsyncs = new Int32Array(fsyncs)
    const input: WorkerInput = { folder, fsyncs }
    keepCompiledCode()
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: input, execArgv: [] })
    // `failed` reports a failure after the start; nobody waits for `ready` any more.
    this.#ready.promise.catch(() => undefined)
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (error: Error) => this.#fail(new DatabaseError(error.message, { cause: error })))
    this.#worker.on('exit', (code) => this.#fail(new DatabaseError(whyEnded(code))))
  }

  /** True when the database was made now. */
  ready(): Promise<boolean> {
    return this.#ready.promise
  }

  /** Resolves when the thread has ended by itself or was ended by the watchdog; never after `stop`. */
  get failed(): Promise<Error> {
    return this.#ended.promise
  }

  get fsyncCount(): number {
    return Atomics.load(this.#fsyncs, 0)
  }

  attach(client: Client): number {
    const number = ++this.#lastNumber
    this.#clients.set(number, client)
    if (this.#error) queueMicrotask(() => client.failed(this.#error ?? new DatabaseError('ended')))
    else this.#post({ kind: 'open', socket: number })
    return number
  }

  detach(number: number): void {
    this.#clients.delete(number)
  }

  send(socket: number, chunk: Uint8Array): void {
    if (this.#error) return
    // A copy: the writer may reuse its buffer once the write is reported done.
    this.#post({ kind: 'bytes', socket, bytes: new Uint8Array(chunk) })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    if (!this.#error) this.#post({ kind: 'stop' })
    await this.#ended.promise
  }

  #post(message: ToWorker): void {
    if (this.#unanswered++ === 0) this.#watch()
    this.#worker.postMessage(message, [])
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    if (this.#unanswered === 0) return
    this.#watchdog = setTimeout(() => {
      this.#fail(new DatabaseError(`데이터베이스가 ${ANSWER_TIMEOUT_MS / 1000}초 동안 답하지 않아 멈췄습니다.`))
      void this.#worker.terminate()
    }, ANSWER_TIMEOUT_MS).unref()
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ready') return this.#ready.resolve(message.fresh)
    this.#unanswered--
    this.#watch()
    if (message.kind === 'opened') this.#clients.get(message.socket)?.opened()
    if (message.kind === 'bytes') this.#clients.get(message.socket)?.bytes(message.bytes)
  }

  #fail(error: Error): void {
    if (this.#error) return
    this.#error = error
    clearTimeout(this.#watchdog)
    this.#ready.reject(error)
    this.#ended.resolve(error)
    if (this.#stopping) return
    for (const client of this.#clients.values()) client.failed(error)
  }
}

function whyEnded(code: number): string {
  if (code === DISK_FAILED)
    return '디스크가 기록을 거부해 데이터베이스를 멈췄습니다. 남은 공간과 디스크 상태를 확인해 주세요.'
  if (code === ENGINE_BROKEN) return '데이터베이스 안에서 오류가 나 멈췄습니다. 다시 켜면 기록된 데까지 되살립니다.'
  return `데이터베이스 스레드가 끝났습니다(${code}).`
}

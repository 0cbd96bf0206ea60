/**
 * Browsers by the dozen for the HTTP cells, in a thread of their own and as light as they can be, so that the server is
 * what is measured: bytes are counted, not read, after the first and the last reply were compared whole.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { cpuSpent } from './measure.ts'

export const CONNECTIONS = 16

interface LoadRequest {
  readonly origin: string
  readonly path: string
  /** The connections take them in turn. */
  readonly cookies: readonly string[]
  readonly requests: number
  /** The body every reply must have. */
  readonly expected: string
}

interface LoadResult {
  /** From each request to its last byte, µs. */
  readonly waits: readonly number[]
  readonly problem: string | null
}

export interface RequestCost {
  /** CPU time of the serving thread and elapsed time, µs a request. */
  readonly cpu: number
  readonly wall: number
  readonly perSecond: number
  /** The 99th percentile of the waits, µs. */
  readonly p99: number
}

export class Load {
  readonly #worker = new Worker(new URL(import.meta.url), { workerData: 'load' })

  async run(load: LoadRequest): Promise<RequestCost> {
    const [cpu, began] = [cpuSpent(), performance.now()]
    this.#worker.postMessage(load, [])
    const [result]: LoadResult[] = await once(this.#worker, 'message')
    const wall = (performance.now() - began) * 1_000
    if (!result || result.problem !== null) throw new Error(`${load.origin}${load.path}: ${result?.problem}`)
    const waits = result.waits.toSorted((a, b) => a - b)
    return {
      cpu: (cpuSpent() - cpu) / load.requests,
      wall: wall / load.requests,
      perSecond: (load.requests * 1e6) / wall,
      p99: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
    }
  }

  close = (): Promise<number> => this.#worker.terminate()
}

/** One connection that asks again as soon as it was answered. All replies of a run have the same length. */
async function browse(load: LoadRequest, cookie: string, count: number, waits: number[]): Promise<string | null> {
  const { hostname, port, host } = new URL(load.origin)
  const request = `GET ${load.path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const first = await whole(socket, request)
  const problem = differs(first, load.expected)
  if (problem !== null) return problem
  await many(socket, { request, length: first.length, count }, waits)
  const last = differs(await whole(socket, request), load.expected)
  socket.destroy()
  return last
}

function differs(reply: Buffer, expected: string): string | null {
  const text = reply.toString()
  const [head = '', body] = text.split('\r\n\r\n', 2)
  if (!head.startsWith('HTTP/1.1 200 ')) return text.slice(0, 300)
  return body === expected ? null : 'another body'
}

/** Reads head and body, as long as the head says. */
async function whole(socket: Socket, request: string): Promise<Buffer> {
  const parts: Buffer[] = []
  socket.write(request)
  for (;;) {
    const [part]: Buffer[] = await once(socket, 'data')
    if (part) parts.push(part)
    const all = Buffer.concat(parts)
    const end = all.indexOf('\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(all.subarray(0, end).toString())?.[1]
    if (end > 0 && all.length >= end + 4 + Number(length)) return all
  }
}

function many(
  socket: Socket,
  { request, length, count }: { request: string; length: number; count: number },
  waits: number[],
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let got = 0
  let left = count
  let asked = performance.now()
  socket.on('data', (part: Buffer) => {
    got += part.length
    if (got < length) return
    got -= length
    waits.push((performance.now() - asked) * 1_000)
    left -= 1
    if (left === 0) {
      socket.removeAllListeners('data')
      return resolve()
    }
    asked = performance.now()
    socket.write(request)
  })
  socket.write(request)
  return promise
}

if (!isMainThread && workerData === 'load') {
  parentPort?.on('message', (load: LoadRequest) => {
    const waits: number[] = []
    const each = Math.ceil(load.requests / CONNECTIONS)
    void Promise.all(
      Array.from({ length: CONNECTIONS }, (_, n) =>
        browse(load, load.cookies[n % load.cookies.length] ?? '', each, waits),
      ),
    ).then((problems) =>
      parentPort?.postMessage(
        { waits, problem: problems.find((one) => one !== null) ?? null } satisfies LoadResult,
        [],
      ),
    )
  })
}

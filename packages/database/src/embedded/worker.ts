import { PGlite } from '@electric-sql/pglite'
import { parentPort, workerData } from 'node:worker_threads'
import { brokenBy } from './broken.ts'
import { DISK_FAILED, DurableNodeFS, ENGINE_BROKEN } from './durable.ts'
import { compileEngine, ensureFolder } from './folder.ts'
import type { FromWorker, ToWorker, WorkerInput } from './messages.ts'

/**
 * The thread PostgreSQL runs in. In the server's own thread every query would hold up prices and sockets.
 * It forwards wire bytes and knows no SQL of ours.
 */
const { folder, fsyncs }: WorkerInput = workerData
const counter = new Int32Array(fsyncs)
const port = parentPort
if (port === null) throw new Error('this file is a worker')
const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

// -F would turn fsync off. fdatasync is a stub in the WASM build that does nothing and reports success.
const startParams = PGlite.defaultStartParams
  .filter((param) => param !== '-F')
  .concat(['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=32MB', '-c', 'max_wal_size=128MB'])

const engine = await compileEngine()
const fresh = await ensureFolder(folder, engine)
const db = await PGlite.create({
  fs: new DurableNodeFS(folder, () => Atomics.add(counter, 0, 1)),
  startParams,
  pgliteWasmModule: engine,
})

/** The one session of this engine serves one client after the other; a new one must not inherit a transaction. */
async function cleanSession(): Promise<void> {
  await db.exec('rollback')
  await db.exec('discard all')
}

async function answer(socket: number, bytes: Uint8Array): Promise<void> {
  // The raw stream form: the plain one keeps every reply in a list inside the engine, for ever.
  const parts: Uint8Array[] = []
  await db.execProtocolRawStream(bytes, { syncToFs: false, onRawData: (part) => parts.push(part.slice()) })
  const reply = Buffer.concat(parts)
  const broken = brokenBy(reply)
  // Nobody gets an answer any more: what was being written counts as not known, and the next start recovers.
  if (broken !== null) process.exit(broken === 'disk' ? DISK_FAILED : ENGINE_BROKEN)
  const copy = new Uint8Array(reply) // Buffer.concat may hand out a slice of a shared pool, which must not be moved.
  send({ kind: 'bytes', socket, bytes: copy }, [copy.buffer])
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'open':
      await cleanSession()
      return send({ kind: 'opened', socket: message.socket })
    case 'bytes':
      return answer(message.socket, message.bytes)
    case 'stop':
      await db.close()
      send({ kind: 'stopped' })
      return port?.close()
  }
}

let queue: Promise<void> = Promise.resolve()
port.on('message', (message: ToWorker) => {
  queue = queue.then(() => handle(message))
})
send({ kind: 'ready', fresh })

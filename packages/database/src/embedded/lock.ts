import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { type Server, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, FolderInUseError } from '../errors.ts'

const RETRY_INTERVAL_MS = 200

/**
 * One process per data folder. The engine itself would let two in, and their commits would overwrite each other.
 * The kernel holds the lock (a listening socket named after the folder), so it is free at once after kill -9.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = socketName(realpathSync(folder))
  const until = performance.now() + waitMs
  for (;;) {
    const server = await listen(name)
    if (server) return () => new Promise((done) => void server.close(() => done()))
    const pid = await askHolder(name)
    if (pid === null) removeDead(name)
    if (performance.now() >= until) {
      throw new FolderInUseError(
        `${folder} 폴더를 다른 Digger가 쓰고 있습니다(프로세스 ${pid ?? '알 수 없음'}). 그쪽을 먼저 끄거나 DATA_DIR을 바꿔 주세요.`,
      )
    }
    await delay(RETRY_INTERVAL_MS)
  }
}

/** Abstract socket on Linux, pipe on Windows, a socket file elsewhere. */
function socketName(path: string): string {
  const id = `digger-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${id}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${id}` : join(tmpdir(), `${id}.sock`)
}

function listen(name: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(String(process.pid))
    })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(new DatabaseError(error.message, { cause: error })),
    )
    server.listen(name, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** Null when nobody answers: between its end and our next try, or a socket file left behind. */
function askHolder(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(name)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (part) => (text += part.toString()))
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(text === '' ? null : text))
  })
}

function removeDead(name: string): void {
  if (process.platform !== 'linux' && process.platform !== 'win32') rmSync(name, { force: true })
}

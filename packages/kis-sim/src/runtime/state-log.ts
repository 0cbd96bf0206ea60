import {
  closeSync,
  existsSync,
  fchmodSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** The files hold customers' keys: only the owner may read them. */
const OWNERS_FOLDER = { recursive: true, mode: 0o700 } as const
const OWNERS_FILE = 0o600

/**
 * An append-only file of one JSON value per line, written before the caller goes on: a process killed right after a
 * reply has it on file. A last line cut short by the kill was never replied to and is dropped.
 */
export class StateLog<Entry> {
  readonly #fd: number

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Passes to `read` what earlier runs wrote, oldest first. */
  static open<Entry>(folder: string, read: (entry: Entry) => void): StateLog<Entry> {
    mkdirSync(folder, OWNERS_FOLDER)
    const path = join(folder, 'facts.jsonl')
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    for (const line of whole.split('\n')) {
      if (line === '') continue
      const entry: Entry = JSON.parse(line)
      read(entry)
    }
    const fd = openSync(path, 'a', OWNERS_FILE)
    fchmodSync(fd, OWNERS_FILE)
    if (whole.length < text.length) ftruncateSync(fd, Buffer.byteLength(whole))
    return new StateLog<Entry>(fd)
  }

  append(entry: Entry): void {
    writeSync(this.#fd, `${JSON.stringify(entry)}\n`)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** A small value replaced as a whole, never half written. */
export function saveWhole(folder: string, name: string, value: unknown): void {
  mkdirSync(folder, OWNERS_FOLDER)
  const path = join(folder, name)
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: OWNERS_FILE })
  renameSync(`${path}.new`, path)
}

export function loadWhole(folder: string, name: string): unknown {
  const path = join(folder, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

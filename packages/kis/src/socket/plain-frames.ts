import type { Socket } from 'node:net'

/** First byte of a text message in one frame, of a ping, of a pong: final, nothing reserved set. */
const WHOLE_TEXT = 0x81
const PING = 0x89
const PONG = 0x8a
/** Second byte, without mask: the length itself below this, else the length follows in two bytes, or in eight. */
const LENGTH_16 = 126
const LENGTH_64 = 127
const MASKED = 0x80

/**
 * Takes whole text messages out of what a WebSocket brings, before the library reads it (RFC 6455 §5.2): a burst of ticks comes as
 * hundreds of small frames in one chunk, and the library's way through each costs as much as reading the tick. Everything else is the
 * library's: control frames, a frame that goes on in the next chunk. After anything unusual (fragments, masks, lengths of eight bytes,
 * a close) it has the connection for good.
 */
export class PlainFrames {
  readonly #onText: (payload: Buffer) => void
  readonly #library: (chunk: Buffer) => void
  /** Bytes still to come of a frame that the library has the beginning of. */
  #owed = 0
  /** A frame's head that the last chunk broke off in. */
  #head: Buffer | null = null
  #isOver = false

  /** `library` reads bytes as if they had come from the socket. */
  constructor(library: (chunk: Buffer) => void, onText: (payload: Buffer) => void) {
    this.#library = library
    this.#onText = onText
  }

  /** To be called when the library has just begun to listen to the socket. */
  static readFirst(socket: Socket, onText: (payload: Buffer) => void): void {
    const listeners = socket.listeners('data')
    const frames = new PlainFrames((chunk) => {
      for (const listener of listeners) Reflect.apply(listener, socket, [chunk])
    }, onText)
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => frames.read(chunk))
  }

  read(chunk: Buffer): void {
    if (this.#isOver) return this.#library(chunk)
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk])
    this.#head = null
    let at = Math.min(this.#owed, bytes.length)
    if (at > 0) this.#library(bytes.subarray(0, at))
    this.#owed -= at
    while (at < bytes.length && !this.#isOver) at = this.#frame(bytes, at)
  }

  /** Reads the frame that begins here; returns where the next one does. */
  #frame(bytes: Buffer, from: number): number {
    const start = from + (bytes[from + 1] === LENGTH_16 ? 4 : 2)
    if (start > bytes.length || from + 1 === bytes.length) {
      this.#head = bytes.subarray(from)
      return bytes.length
    }
    const first = bytes[from] ?? 0
    const second = bytes[from + 1] ?? 0
    if (second === LENGTH_64 || second >= MASKED || (first !== WHOLE_TEXT && first !== PING && first !== PONG)) {
      this.#isOver = true
      this.#library(bytes.subarray(from))
      return bytes.length
    }
    const end = start + (second === LENGTH_16 ? bytes.readUInt16BE(from + 2) : second)
    if (first === WHOLE_TEXT && end <= bytes.length) {
      this.#onText(bytes.subarray(start, end))
      return end
    }
    this.#owed = Math.max(0, end - bytes.length)
    this.#library(bytes.subarray(from, end))
    return Math.min(end, bytes.length)
  }
}

import { WebSocket } from 'ws'
import type { KisEnv } from '../api.ts'
import { isControl, readHead } from '../decode/frame.ts'
import { decryptNotice, isUsable, readNotices } from '../decode/notice.ts'
import type { NoticeKey } from '../decode/notice.ts'
import { TickDecoder } from '../decode/tick.ts'
import { ProtocolError } from '../errors.ts'
import { CHANNELS } from '../wire/channels.ts'
import { SOCKET } from '../wire/codes.ts'
import { readControl, registrationText } from './control.ts'
import type { Control, RegistrationMessage } from './control.ts'
import { PlainFrames } from './plain-frames.ts'
import type { SocketObservers } from './socket-observers.ts'
import type { SocketTimes } from './times.ts'

export type Ack = Extract<Control, { kind: 'ack' }>

/** Why a connection ended; the kind decides when and how the next one is made. */
export interface ConnectionEnd {
  readonly kind: 'lost' | 'inUse' | 'badApproval' | 'badHtsId' | 'refused' | 'noNoticeKey'
  readonly why: string
}

/** Whoever keeps connections up: what the broker sends for accounts goes to the observers instead. */
export interface ConnectionOwner {
  /** The connection is open and its notice channel registered. */
  connectionUp(): void
  /** The answer to a registration of ticks. */
  registrationAnswered(ack: Ack): void
  /** Called several times per idle time-out while up. */
  heartbeat(): void
  /** Called once, and never by `close`. */
  connectionEnded(end: ConnectionEnd, connection: Connection): void
}

interface ConnectionOptions {
  readonly env: KisEnv
  readonly url: string
  readonly approvalKey: string
  readonly htsId: string
  /** Ten digits. */
  readonly accountNumber: string
  readonly times: SocketTimes
  readonly owner: ConnectionOwner
  readonly observers: SocketObservers
}

/** The idle time-out is checked four times: a frame then only resets a number, which is cheaper than moving a timer. */
const CHECKS_PER_TIMEOUT = 4

/** The broker's PINGPONG has about 70 bytes. */
const MAX_PING_BYTES = 1_024
const MAX_BUFFERED_BYTES = 64 * 1_024

const NO_NOTICE_KEY = '증권사가 체결 통보를 여는 키를 주지 않아 체결 통보를 읽을 수 없습니다. 다시 연결해 봅니다.'

/** One connection, from opening to its end. Nothing survives it: not the registrations, not the notice key. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #decoder = new TickDecoder()
  readonly #noticeTr: string
  readonly #watchdog: NodeJS.Timeout
  #ackTimer: NodeJS.Timeout | null = null
  #idleChecks = 0
  #noticeKey: NoticeKey | null = null
  /** How many frames arrived, of any kind. */
  frames = 0
  #up = false
  #over = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#noticeTr = CHANNELS.notice[options.env]
    const { times } = options
    this.#socket = new WebSocket(options.url, {
      handshakeTimeout: times.openMs,
      perMessageDeflate: false,
      // Ticks are ASCII and read as bytes; checking every frame would cost as much as decoding it.
      skipUTF8Validation: true,
      maxPayload: 4 * 1024 * 1024,
    })
    this.#socket.on('open', () => this.#opened())
    this.#socket.on('upgrade', ({ socket }) => {
      this.#socket.once('open', () => PlainFrames.readFirst(socket, (text) => this.#message(text)))
    })
    this.#socket.on('message', (data: Buffer) => this.#message(data))
    this.#socket.on('error', (error) => this.#end('lost', `실시간 연결에 문제가 생겼습니다 (${error.message}).`))
    this.#socket.on('close', (code) => this.#end('lost', `실시간 연결이 끊어졌습니다 (${code}).`))
    this.#watchdog = setInterval(() => this.#checkIdle(), times.idleTimeoutMs / CHECKS_PER_TIMEOUT)
  }

  get up(): boolean {
    return this.#up && !this.#over
  }

  send(registration: RegistrationMessage): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(registrationText(this.#options.approvalKey, registration))
  }

  /** Resolves when the connection is gone; when the close frame is not answered it is cut after a second. */
  close(): Promise<void> {
    this.#stop()
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#socket.readyState === WebSocket.CLOSED) return Promise.resolve()
    this.#socket.once('close', () => resolve())
    const cut = setTimeout(() => this.#socket.terminate(), 1_000)
    this.#socket.once('close', () => clearTimeout(cut))
    this.#socket.close(1000)
    return promise
  }

  #opened(): void {
    const { htsId, times } = this.#options
    this.#ackTimer = setTimeout(() => this.#end('lost', '체결 통보 등록에 응답이 없습니다.'), times.ackMs)
    this.send({ type: 'register', trId: this.#noticeTr, trKey: htsId })
  }

  /** Nothing is thrown from here, whatever arrives. */
  #message(data: Buffer): void {
    this.frames += 1
    if (this.#over) return
    try {
      const ticks = this.#decoder.decode(data)
      if (ticks === null) this.#other(data)
      else for (const tick of ticks) this.#options.observers.tickReceived(tick)
      // Only a readable frame is a sign of life: a connection that brings nothing but rubbish is as good as dead.
      this.#idleChecks = 0
    } catch (error) {
      this.#options.observers.problemFound(error instanceof Error ? error : new ProtocolError(String(error)))
    }
  }

  #other(data: Buffer): void {
    if (isControl(data)) {
      const control = readControl(data.toString('utf8'))
      // Echoed as text, the way most clients do; protocol pings are answered by the library.
      if (control.kind !== 'pingPong') return this.#acked(control)
      this.#echo(data)
      if (!Number.isNaN(control.at)) this.#options.observers.timeReceived(control.at)
      return
    }
    const head = readHead(data)
    if (head.trId !== this.#noticeTr) throw new ProtocolError(`frame of a channel that was not requested: ${head.trId}`)
    const payload = data.toString('utf8', head.start)
    const { accountNumber, observers } = this.#options
    for (const notice of readNotices(head.encrypted ? this.#decrypt(payload) : payload, head.count)) {
      // One HTS ID may carry notices of several accounts.
      if (notice.accountNumber === accountNumber) observers.noticeReceived(notice)
    }
  }

  #echo(data: Buffer): void {
    if (data.length > MAX_PING_BYTES) throw new ProtocolError(`PINGPONG of ${data.length} bytes`)
    // The broker does not read our replies: the buffer would only grow.
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES)
      return this.#end('lost', '실시간 연결이 응답을 받지 않아 다시 연결합니다.')
    this.#socket.send(data, { binary: false })
  }

  #decrypt(payload: string): string {
    if (this.#noticeKey === null) throw new ProtocolError('notice: encrypted, but this registration brought no key')
    return decryptNotice(payload, this.#noticeKey)
  }

  #acked(ack: Ack): void {
    if (ack.code === SOCKET.inUse) return this.#end('inUse', '다른 곳에서 같은 앱키로 실시간 연결을 쓰고 있습니다.')
    if (ack.code === SOCKET.badApproval) return this.#end('badApproval', '실시간 접속키가 만료되어 새로 받습니다.')
    if (ack.code === SOCKET.badAppKey) return this.#end('refused', '앱키가 올바르지 않아 실시간 연결을 할 수 없습니다.')
    if (this.#up && ack.trId !== this.#noticeTr) return this.#options.owner.registrationAnswered(ack)
    if (this.#up) return
    if (ack.ok && ack.trId !== this.#noticeTr) throw new ProtocolError('ack of a channel that was not requested')
    if (!ack.ok && ack.code !== SOCKET.alreadyRegistered) return this.#noticeRefused(ack)
    // Of a registration without a key no notice could ever be read: that is none.
    if (ack.key === null || !isUsable(ack.key)) return this.#end('noNoticeKey', NO_NOTICE_KEY)
    this.#noticeKey = ack.key
    this.#clearAckTimer()
    this.#up = true
    this.#options.owner.connectionUp()
  }

  /** A wrong HTS ID is reported by the message alone, without a code and with tr_id "(null)"; asking again soon would not help. */
  #noticeRefused({ message, code }: Ack): void {
    if (/htsid/i.test(message.replaceAll(/\s/g, ''))) {
      return this.#end('badHtsId', 'HTS ID가 올바르지 않아 체결 통보를 받을 수 없습니다. 증권사 정보에서 고쳐 주세요.')
    }
    this.#end('lost', `체결 통보 등록이 거절되었습니다: ${message || code}`)
  }

  #checkIdle(): void {
    this.#idleChecks += 1
    if (this.#idleChecks > CHECKS_PER_TIMEOUT)
      return this.#end('lost', '실시간 연결에서 아무 소식이 없어 다시 연결합니다.')
    if (this.#up) this.#options.owner.heartbeat()
  }

  #end(kind: ConnectionEnd['kind'], why: string): void {
    if (this.#over) return
    this.#stop()
    this.#socket.terminate()
    this.#options.owner.connectionEnded({ kind, why }, this)
  }

  #stop(): void {
    this.#over = true
    clearInterval(this.#watchdog)
    this.#clearAckTimer()
  }

  #clearAckTimer(): void {
    if (this.#ackTimer !== null) clearTimeout(this.#ackTimer)
    this.#ackTimer = null
  }
}

import type { Server } from 'node:http'
import { CHANNELS } from '@digger/kis'
import { WebSocketServer } from 'ws'
import type { Account } from '../ledger/account.ts'
import type { Keys } from '../rest/keys.ts'
import type { Broker } from '../broker/broker.ts'
import { encrypted, frame } from './frames.ts'
import { replyTo } from './registration.ts'
import { Session, slot, type Registration } from './session.ts'

const PATH = /^\/(tryitout(\/.*)?)?$/

/** All connected clients: who registered what, who holds which app key. */
export class Hub {
  readonly #broker: Broker
  readonly #keys: Keys
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  readonly #sessions = new Set<Session>()
  readonly #bySlot = new Map<string, Set<Session>>()
  readonly #holders = new Map<string, Session | 'released'>()
  /** Frames sent by sessions that are gone, by app key. */
  readonly #framesBefore = new Map<string, number>()

  constructor(broker: Broker, keys: Keys) {
    this.#broker = broker
    this.#keys = keys
  }

  attach(http: Server): void {
    http.on('upgrade', (request, socket, head) => {
      if (!PATH.test((request.url ?? '/').split('?', 1)[0] ?? '')) {
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
        return
      }
      this.#server.handleUpgrade(request, socket, head, (ws) => {
        const session = new Session(ws, this.#broker)
        this.#sessions.add(session)
        ws.on('close', () => this.#left(session))
        ws.on('message', (data: Buffer) => {
          const reply = replyTo(data.toString('utf8'), session, this.#broker, this.#keys, this)
          if (reply !== null) session.send(reply)
        })
      })
    })
  }

  listeners(trId: string, key: string): ReadonlySet<Session> | undefined {
    return this.#bySlot.get(slot(trId, key))
  }

  /** Sends one frame to everyone registered for it. */
  publish(trId: string, key: string, text: string): void {
    const sessions = this.listeners(trId, key)
    if (!sessions) return
    const bytes = Buffer.from(text)
    for (const session of sessions) session.send(bytes)
  }

  readonly notify = (account: Account, record: string): void => {
    const { htsId } = account.spec.credentials
    const trId = CHANNELS.notice[account.env]
    for (const session of this.listeners(trId, htsId) ?? []) {
      if (session.account !== account && !this.#broker.assumed.decide('noticeCoversOtherKeys')) continue
      const registration = session.registrations.get(slot(trId, htsId))
      if (registration) session.send(frame('1', trId, 1, encrypted(record, registration.secret, registration.iv)))
    }
  }

  claim(session: Session, account: Account): boolean {
    const { appKey } = account.spec.credentials
    const holder = this.#holders.get(appKey)
    if (holder !== undefined && holder !== session) {
      if (holder === 'released' || this.#broker.assumed.decide('keyInUse') === 'refuse') return false
      holder.cut()
    }
    this.#holders.set(appKey, session)
    session.account = account
    return true
  }

  added(session: Session, registration: Registration): void {
    const key = slot(registration.trId, registration.key)
    session.registrations.set(key, registration)
    const sessions = this.#bySlot.get(key) ?? new Set()
    this.#bySlot.set(key, sessions.add(session))
  }

  removed(session: Session, registration: Registration): void {
    const key = slot(registration.trId, registration.key)
    session.registrations.delete(key)
    const sessions = this.#bySlot.get(key)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#bySlot.delete(key)
  }

  /** Sessions of an app key, or all. */
  sessions(appKey?: string): Session[] {
    return [...this.#sessions].filter((s) => appKey === undefined || s.account?.spec.credentials.appKey === appKey)
  }

  framesSent(appKey: string): number {
    const before = this.#framesBefore.get(appKey) ?? 0
    return this.sessions(appKey).reduce((sum, session) => sum + session.framesSent, before)
  }

  /** Whether another line of the app key would be refused: one has it, served or frozen, or is not released yet. */
  isHeld(appKey: string): boolean {
    return this.#holders.has(appKey)
  }

  /** What an app key has registered and is served now. */
  registered(appKey: string): string[] {
    const served = this.sessions(appKey).filter((session) => !session.isFrozen)
    return served.flatMap((session) => [...session.registrations.keys()])
  }

  dropAll(): void {
    for (const session of this.#sessions) session.cut()
  }

  #left(session: Session): void {
    this.#sessions.delete(session)
    for (const registration of session.registrations.values()) this.removed(session, registration)
    const appKey = session.account?.spec.credentials.appKey
    if (appKey === undefined) return
    this.#framesBefore.set(appKey, (this.#framesBefore.get(appKey) ?? 0) + session.framesSent)
    if (this.#holders.get(appKey) !== session) return
    const { clock, assumed, timeScale } = this.#broker
    const releaseMs = assumed.decide('socketReleaseMs')
    if (releaseMs === 0) {
      this.#holders.delete(appKey)
      return
    }
    this.#holders.set(appKey, 'released')
    clock.after(releaseMs * timeScale(), () => {
      if (this.#holders.get(appKey) === 'released') this.#holders.delete(appKey)
    })
  }
}

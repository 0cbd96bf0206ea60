import type { Duplex } from 'node:stream'
import { backend, errorResponse, int32, ready } from './backend.ts'
import { CANCEL_REQUEST, FieldReader, FrontendReader, GSS_REQUEST, type Message, SSL_REQUEST } from './frontend.ts'
import { extendedRequest, simpleRequest } from './request.ts'
import type { DatabaseServer } from './server.ts'
import { Session } from './session.ts'

/** A connection whose kernel can look after it, as PostgreSQL has it do on request. */
export interface ClientStream extends Duplex {
  lookAfter?(ask: { idleMs: number; everyMs: number; tries: number }, userTimeoutMs: number): void
}

const NO_ENCRYPTION = Buffer.from('N')
const EXTENDED = new Set(['P', 'B', 'D', 'E', 'C'])

/** Speaks the wire protocol with one client. */
export class Connection {
  readonly #server: DatabaseServer
  readonly #stream: ClientStream
  readonly #reader = new FrontendReader()
  #session: Session | null = null
  #batch: Message[] = []

  constructor(server: DatabaseServer, stream: ClientStream) {
    this.#server = server
    this.#stream = stream
    stream.on('data', (bytes: Buffer) => this.#received(bytes))
    stream.on('end', () => this.#gone())
    stream.on('close', () => this.#gone())
    stream.on('error', () => this.#gone())
  }

  #received(bytes: Buffer): void {
    this.#reader.push(bytes)
    for (let message = this.#reader.next(); message !== null; message = this.#reader.next()) {
      if (this.#session === null) this.#start(message)
      else this.#ask(message, this.#session)
    }
  }

  #start({ body }: Message): void {
    const reader = new FieldReader(body)
    const code = reader.int32()
    if (code === SSL_REQUEST || code === GSS_REQUEST) return this.#send(NO_ENCRYPTION)
    if (code === CANCEL_REQUEST) return this.#cancel(reader.int32(), reader.int32())
    if (this.#server.faults.refuseConnections) {
      this.#server.strikes.refuseConnections += 1
      this.#send(errorResponse({ code: '57P03', message: 'the database system is starting up', severity: 'FATAL' }))
      return void this.#stream.end()
    }
    this.#reader.started()
    const given = new Map<string, string>()
    for (let name = reader.text(); name !== ''; name = reader.text()) given.set(name, reader.text())
    this.#session = this.#open(given)
  }

  #open(given: ReadonlyMap<string, string>): Session {
    const session = new Session(this.#server, {
      send: (bytes) => this.#send(bytes),
      end: () => void this.#stream.end(),
      cut: () => void this.#stream.destroy(),
    })
    session.settings.start(given)
    this.#lookAfter(session)
    const parameters = {
      ...PARAMETERS,
      server_version: this.#server.version,
      application_name: session.applicationName,
    }
    this.#send(
      Buffer.concat([
        backend('R', int32(0)),
        ...Object.entries(parameters).map(([name, value]) => backend('S', name, value)),
        backend('K', int32(session.pid, session.secret)),
        ready('I'),
      ]),
    )
    return session
  }

  /** A client that is silent because its line is cut, or its machine gone, loses its session and its locks. */
  #lookAfter({ settings }: Session): void {
    const seconds = (name: string): number => Number(settings.get(name))
    const idleMs = seconds('tcp_keepalives_idle') * 1_000
    const everyMs = seconds('tcp_keepalives_interval') * 1_000
    if (idleMs === 0 || everyMs === 0) return
    const ask = { idleMs, everyMs, tries: seconds('tcp_keepalives_count') }
    this.#stream.lookAfter?.(ask, settings.time('tcp_user_timeout'))
  }

  #ask(message: Message, session: Session): void {
    const { type } = message
    if (type === 'X') return session.clientGone()
    if (type === 'Q') return session.ask(simpleRequest(message))
    if (EXTENDED.has(type)) return void this.#batch.push(message)
    if (type === 'S') return session.ask(extendedRequest(this.#batch.splice(0), session.statements))
    session.terminate({ code: '0A000', message: `the model of the database does not know messages of type ${type}` })
  }

  #cancel(pid: number, secret: number): void {
    for (const session of this.#server.sessions) if (session.pid === pid && session.secret === secret) session.cancel()
    this.#stream.end()
  }

  #gone(): void {
    if (this.#session === null) this.#stream.end()
    else this.#session.clientGone()
  }

  #send(bytes: Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(bytes)
  }
}

/** What a server tells each client about itself. */
const PARAMETERS: Readonly<Record<string, string>> = {
  server_version: '',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  in_hot_standby: 'off',
  default_transaction_read_only: 'off',
  is_superuser: 'on',
  session_authorization: 'postgres',
  application_name: '',
}

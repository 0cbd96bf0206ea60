import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Certificate } from './certificate.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Names in lower case; decoded. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly raw: string
  readonly encrypted: boolean
  readonly user: string | null
}

export interface MailServerOptions {
  /** Offers STARTTLS, or with `secure` speaks TLS from the first byte. */
  readonly certificate?: Certificate
  readonly secure?: boolean
  readonly login?: { readonly user: string; readonly password: string }
  /** Takes a log-in without TLS. */
  readonly inClear?: boolean
}

class MailRefusal extends Error {
  readonly responseCode: number
  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** A mail server that keeps what it gets. */
export class MailServer implements AsyncDisposable {
  readonly #server: SMTPServer
  readonly #secure: boolean
  readonly received: ReceivedMail[] = []
  /** Recipients that are refused, with code and words. */
  readonly refused = new Map<string, { readonly code: number; readonly words: string }>()
  /** How often someone tried to log in. */
  logins = 0
  /** Refuses the message itself. */
  refusal: { readonly code: number; readonly words: string } | null = null

  constructor({ certificate, secure = false, login, inClear = false }: MailServerOptions) {
    this.#secure = secure
    const options: SMTPServerOptions = {
      secure,
      ...certificate,
      authOptional: login === undefined,
      disabledCommands: [...(certificate === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
      allowInsecureAuth: inClear,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, callback) => {
        this.logins += 1
        if (username === login?.user && password === login?.password) callback(null, { user: username })
        else callback(new MailRefusal(535, `5.7.8 no such user ${username} with ${password}`))
      },
      onRcptTo: ({ address }, _session, callback) => {
        const refusal = this.refused.get(address)
        callback(refusal === undefined ? null : new MailRefusal(refusal.code, refusal.words))
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.once('end', () => {
          if (this.refusal !== null) return callback(new MailRefusal(this.refusal.code, this.refusal.words))
          const { mailFrom, rcptTo } = session.envelope
          this.received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...parsed(Buffer.concat(chunks).toString('utf8')),
            encrypted: session.secure,
            user: session.user ?? null,
          })
          return callback(null)
        })
      },
    }
    this.#server = new SMTPServer(options)
    // A client that breaks off, as it does at a certificate it does not trust.
    this.#server.on('error', () => undefined)
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const mail = new MailServer(options)
    const { promise, resolve } = Promise.withResolvers<void>()
    mail.#server.listen(0, '127.0.0.1', () => resolve())
    await promise
    return mail
  }

  /** `user` with its colon and password, as it stands in an address. */
  url(user = '', query = '', host = '127.0.0.1'): string {
    const address = this.#server.server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    const { port } = address
    return `${this.#secure ? 'smtps' : 'smtp'}://${user === '' ? '' : `${user}@`}${host}:${port}${query}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    await promise
  }
}

function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'raw'> {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), decodedWords(line)]))
  const encoding = headers.get('content-transfer-encoding') ?? '7bit'
  return { headers, text: decodedBody(raw.slice(end + 4), encoding), raw }
}

const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi

/** Encoded words of a header (RFC 2047); a character may begin in one and end in the next. */
function decodedWords(line: string): string {
  return line
    .slice(line.indexOf(':') + 1)
    .trim()
    .replaceAll(/(?:=\?utf-8\?[bq]\?[^?]*\?=(?:\s+(?==\?))?)+/gi, (words) => {
      const parts = [...words.matchAll(ENCODED_WORD)].map(([, kind, text = '']) =>
        kind?.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quoted(text.replaceAll('_', ' ')),
      )
      return Buffer.concat(parts).toString('utf8')
    })
}

function decodedBody(body: string, encoding: string): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quoted(body.replaceAll(/=\r\n/g, ''))
        : Buffer.from(body)
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()
}

const quoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

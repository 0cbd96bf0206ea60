import { createTransport } from 'nodemailer'
import { type Channel, type Outgoing, type Sent, SENT } from './channel.ts'
import { absoluteLink, oneLine, titleLine } from './fit-text.ts'
import { BAD_MAIL_ADDRESS, smtpOutcome } from './smtp-outcome.ts'
import { isMailAddress, smtpSettings } from './smtp-settings.ts'

/** The whole way, also where a server answers each step just in time, ms. */
const TIMEOUT_MS = 20_000

export interface MailAddress {
  readonly to: string
}

export interface EmailOptions {
  /** Of the operator's server: `smtps://user:password@host`, or `smtp://…`, see `smtpSettings`. */
  readonly smtpUrl: string
  /** `digger@example.com` or `Digger <digger@example.com>`. */
  readonly from: string
  /** Signers of certificates in the place of the public ones, PEM. */
  readonly ca?: string
  readonly timeoutMs?: number
}

/** By the operator's mail server, as plain text. */
export class EmailChannel implements Channel<MailAddress> {
  readonly #settings: ReturnType<typeof smtpSettings>
  readonly #transport: ReturnType<typeof createTransport>
  readonly #timeoutMs: number

  /** Throws where the settings could never work. */
  constructor({ smtpUrl, from, ca, timeoutMs = TIMEOUT_MS }: EmailOptions) {
    this.#settings = smtpSettings(smtpUrl, from, ca)
    this.#transport = createTransport(this.#settings.transport)
    this.#timeoutMs = timeoutMs
  }

  async send({ to }: MailAddress, { id, title, lines, silent, url, at }: Outgoing): Promise<Sent> {
    if (!isMailAddress(to)) return BAD_MAIL_ADDRESS
    const { from, domain } = this.#settings
    const link = absoluteLink(url)
    try {
      await this.#transport.sendMail({
        from,
        to: { name: '', address: to },
        subject: titleLine(title),
        text: [...lines.map(oneLine), ...(link === null ? [] : ['', link])].join('\n'),
        messageId: `<${id}@${domain}>`,
        date: new Date(at),
        // No out-of-office notice comes back for it (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(silent && { priority: 'low' as const }),
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      return SENT
    } catch (error) {
      return smtpOutcome(error)
    }
  }
}

import { isIP } from 'node:net'
import type { SMTPTransportOptions } from 'nodemailer'
import { AllowedTargets } from './allowed-targets.ts'

/** Each step of the way, ms. */
const STEP_TIMEOUT_MS = 10_000

export interface SmtpSettings {
  readonly transport: SMTPTransportOptions
  readonly from: { readonly name: string; readonly address: string }
  /** What a Message-ID ends with. */
  readonly domain: string
}

const LOOPBACK = new AllowedTargets(['localhost', '127.0.0.0/8', '::1'])
/** One address as it goes over the wire: no list, no comment, no quotes, nothing that a header or a command could end with. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@([^\s@<>()[\]\\,;:"\p{Cc}]{1,253})$/u
const NAMED = /^([^<>\p{Cc}]*)<([^<>]*)>$/u

export const isMailAddress = (text: string): boolean => ADDRESS.test(text)

/**
 * `smtps://user:password@host` speaks TLS from the first byte, `smtp://` after STARTTLS; `?requireTls=no` and a loopback host do
 * without. Throws for what could never work; the error does not repeat the address, which holds the password.
 */
export function smtpSettings(text: string, from: string, ca?: string): SmtpSettings {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('the SMTP address is not like smtps://user:password@host')
  const sender = senderOf(from)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = url.protocol === 'smtps:'
  const withoutTls = !secure && (url.searchParams.get('requireTls') === 'no' || LOOPBACK.has(host, host))
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  return {
    transport: {
      host,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: !secure && !withoutTls,
      // Where no TLS was asked for, one whose certificate nobody signed is no worse than none.
      tls: {
        rejectUnauthorized: !withoutTls,
        ...(ca !== undefined && { ca }),
        ...(isIP(host) === 0 && { servername: host }),
      },
      ...(user !== '' && { auth: { user, pass } }),
      connectionTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    ...sender,
  }
}

function senderOf(from: string): Pick<SmtpSettings, 'from' | 'domain'> {
  const [, name = '', address = from] = NAMED.exec(from.trim()) ?? []
  const domain = ADDRESS.exec(address.trim())?.[1]
  if (domain === undefined) throw new Error('the sender is not like Digger <digger@example.com>')
  return { from: { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }, domain }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('user or password of the SMTP address has a % that stands for nothing: write %25')
  }
}

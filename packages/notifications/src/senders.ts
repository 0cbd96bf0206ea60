import type { NewChannel } from '@digger/contract'
import type { Clock } from '@digger/database'
import { AllowedTargets } from './channels/allowed-targets.ts'
import type { Outgoing, Sent } from './channels/channel.ts'
import { EmailChannel } from './channels/e-mail.ts'
import { isPushEndpoint } from './channels/push-endpoint.ts'
import { TelegramChannel } from './channels/telegram.ts'
import { type VapidKeys, WebPushChannel } from './channels/web-push.ts'
import { WebhookChannel, webhookProblem } from './channels/webhook.ts'
import { templateOf, type WebhookTemplate } from './channels/webhook-template.ts'
import type { Address } from './outbox/addresses.ts'

/** What the operator has set up, and what tests stand in for. */
export interface SenderSettings {
  readonly smtp?: { readonly url: string; readonly from: string }
  /** Token of the operator's bot. */
  readonly telegram?: { readonly token: string; readonly apiRoot?: string }
  /** Hosts, addresses and networks that webhooks may reach though they are not public. */
  readonly webhookTargets?: readonly string[]
  /** Whom push services can ask, `mailto:` or `https:`. */
  readonly pushContact: string
  /** Further push services, and who signed certificates in the place of the public ones. */
  readonly pushHosts?: readonly string[]
  readonly ca?: string
}

/** Every way out, as this server has them. */
export class Senders {
  readonly pushKey: string
  readonly telegram: TelegramChannel | null
  readonly #push: WebPushChannel
  readonly #email: EmailChannel | null
  readonly #webhook: WebhookChannel
  readonly #allowed: AllowedTargets
  readonly #pushHosts: readonly string[]

  /** Throws where the operator's settings could never work. */
  constructor(settings: SenderSettings, keys: VapidKeys, wall: Clock) {
    const { smtp, telegram, webhookTargets = [], pushContact: subject, pushHosts = [], ca } = settings
    const now = (): number => wall.now()
    const signed = ca === undefined ? {} : { ca }
    this.pushKey = keys.publicKey
    this.#pushHosts = pushHosts
    this.#allowed = new AllowedTargets(webhookTargets)
    this.#push = new WebPushChannel({ keys, subject, now, also: pushHosts, ...signed })
    this.telegram = telegram === undefined ? null : new TelegramChannel(telegram)
    this.#email = smtp === undefined ? null : new EmailChannel({ smtpUrl: smtp.url, from: smtp.from, ...signed })
    this.#webhook = new WebhookChannel({ now, network: { allowed: this.#allowed, ...signed } })
  }

  get email(): boolean {
    return this.#email !== null
  }

  /** Never rejects for what the other side does. */
  send(address: Address, outgoing: Outgoing): Promise<Sent> {
    switch (address.kind) {
      case 'push':
        return this.#push.send(address, outgoing)
      case 'telegram':
        return this.telegram?.send(address, outgoing) ?? NOT_SET_UP
      case 'email':
        return this.#email?.send(address, outgoing) ?? NOT_SET_UP
      case 'webhook':
        return this.#webhook.send(address, outgoing)
    }
  }

  /** The address of a channel that somebody adds, or why it cannot be one, in a sentence. */
  addressOf(given: NewChannel, email: string): { readonly address: Address; readonly label: string } | string {
    switch (given.kind) {
      case 'push': {
        const { endpoint, p256dh, auth, label } = given
        if (!isPushEndpoint(endpoint, this.#pushHosts)) return NO_PUSH_SERVICE
        return { address: { kind: 'push', endpoint, p256dh, auth }, label }
      }
      case 'email':
        return this.email ? { address: { kind: 'email', to: email }, label: email } : NO_MAIL
      case 'webhook': {
        const template: WebhookTemplate = given.template ?? templateOf(given.url) ?? 'json'
        const problem = webhookProblem(given.url, template, this.#allowed)
        if (problem !== null) return problem
        // Paths of such addresses are as good as passwords.
        return { address: { kind: 'webhook', url: given.url, template }, label: new URL(given.url).host }
      }
    }
  }
}

const NOT_SET_UP: Promise<Sent> = Promise.resolve({
  kind: 'again',
  afterMs: null,
  why: '이 서버에 보내는 설정이 없습니다. 서버 운영자에게 알려 주세요.',
})
const NO_MAIL = '이 서버는 이메일을 보낼 수 없습니다. 서버 운영자가 SMTP_URL을 정해야 합니다.'
const NO_PUSH_SERVICE = '이 브라우저의 알림 서버를 모릅니다. 크롬, 사파리, 파이어폭스, 엣지에서 다시 해 주세요.'

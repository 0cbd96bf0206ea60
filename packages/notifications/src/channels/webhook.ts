import type { AllowedTargets } from './allowed-targets.ts'
import { type Channel, dead, type Outgoing, type Sent } from './channel.ts'
import { outcomeOfStatus, refusedMessage, unansweredOutcome } from './http-outcome.ts'
import { type Network, pinnedRequest, type Reply, targetProblem } from './pinned-request.ts'
import { ntfyTopic, webhookPost, type WebhookTemplate } from './webhook-template.ts'

export interface WebhookAddress {
  readonly url: string
  readonly template: WebhookTemplate
}

export interface WebhookOptions {
  readonly network?: Network
  readonly now: () => number
}

const NO_TOPIC = 'ntfy 주소에는 토픽이 있어야 합니다. https://ntfy.sh/토픽 모양으로 다시 등록해 주세요.'
const GONE: ReadonlyMap<number, string> = new Map([
  [401, '받는 서버가 로그인을 요구합니다(401). 주소의 비밀번호나 토큰을 확인해 다시 등록해 주세요.'],
  [403, '받는 서버가 더 받지 않습니다(403). 받는 쪽 설정을 확인해 다시 등록해 주세요.'],
  [404, '받는 서버에 이 주소가 없습니다(404). 주소를 확인해 다시 등록해 주세요.'],
  [410, '받는 서버가 이 주소를 없앴습니다(410). 새 주소를 등록해 주세요.'],
])

/** To an address that a person gave: a service of theirs, or Slack, Discord and ntfy as those take it. */
export class WebhookChannel implements Channel<WebhookAddress> {
  readonly #network: Network
  readonly #now: () => number

  constructor({ network = {}, now }: WebhookOptions) {
    this.#network = network
    this.#now = now
  }

  async send({ url, template }: WebhookAddress, outgoing: Outgoing): Promise<Sent> {
    const problem = webhookProblem(url, template, this.#network.allowed)
    if (problem !== null) return dead(problem)
    const post = webhookPost(url, template, outgoing)
    if (post === null) return dead(NO_TOPIC)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': outgoing.id,
      'x-digger-id': outgoing.id,
    }
    const exchange = await pinnedRequest({ ...post, headers }, this.#network)
    return exchange.kind === 'reply' ? outcomeOf(exchange, this.#now()) : unansweredOutcome(exchange.cause)
  }
}

function outcomeOf(reply: Reply, now: number): Sent {
  const gone = GONE.get(reply.status)
  if (gone !== undefined) return dead(gone)
  return outcomeOfStatus(reply, now) ?? refusedMessage(reply, now)
}

/** What a person who registers this address is told at once; null: nothing is wrong so far. */
export function webhookProblem(url: string, template: WebhookTemplate, allowed?: AllowedTargets): string | null {
  const cause = targetProblem(url, allowed)
  const outcome = cause === null ? null : unansweredOutcome(cause)
  if (outcome !== null && outcome.kind !== 'sent') return outcome.why
  return template === 'ntfy' && ntfyTopic(new URL(url)) === null ? NO_TOPIC : null
}

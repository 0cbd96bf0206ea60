import type { Outgoing } from './channel.ts'
import { absoluteLink, fitLines, oneLine, titleLine } from './fit-text.ts'

/** How the receiver wants it. `json`: everything, for programs of one's own. */
export type WebhookTemplate = 'json' | 'ntfy' | 'slack' | 'discord'
export const WEBHOOK_TEMPLATES: readonly WebhookTemplate[] = ['json', 'ntfy', 'slack', 'discord']

/** A message may have so many characters (UTF-16 units), and at ntfy so many bytes: there, more becomes a file. */
const MAX_SLACK_LENGTH = 4_000
const MAX_DISCORD_LENGTH = 2_000
const MAX_NTFY_BYTES = 4_000

/** Discord's flags of a message: no preview of links, and no sound. */
const SUPPRESS_EMBEDS = 1 << 2
const SUPPRESS_NOTIFICATIONS = 1 << 12
/** ntfy's priorities: 2 makes no sound, 4 is seen above others. */
const NTFY_LOW = 2
const NTFY_HIGH = 4

export interface WebhookPost {
  readonly url: string
  readonly body: string
}

/** By the host; null: it says nothing, and the person chooses. */
export function templateOf(text: string): WebhookTemplate | null {
  const url = URL.parse(text)
  if (url === null) return null
  if (url.hostname === 'hooks.slack.com') return 'slack'
  if (url.hostname === 'ntfy.sh') return 'ntfy'
  const isDiscord = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/.test(url.hostname)
  return isDiscord && /^\/api\/(?:v\d+\/)?webhooks\//.test(url.pathname) ? 'discord' : null
}

/** Null: the address lacks what the template needs. `text` is an address that can be read. */
export function webhookPost(text: string, template: WebhookTemplate, outgoing: Outgoing): WebhookPost | null {
  const url = new URL(text)
  switch (template) {
    case 'json':
      return { url: url.href, body: JSON.stringify(plainOf(outgoing)) }
    case 'ntfy':
      return ntfyPost(url, outgoing)
    case 'slack':
      return { url: url.href, body: JSON.stringify({ text: messageOf(outgoing, escapeSlack, MAX_SLACK_LENGTH) }) }
    case 'discord':
      return discordPost(url, outgoing)
  }
}

function plainOf({ id, at, title, lines, silent, url }: Outgoing): Outgoing {
  return { id, at, title: oneLine(title), lines: lines.map(oneLine), silent, url }
}

/** The path of the address that people copy; null: it is none. */
export const ntfyTopic = ({ pathname }: URL): string | null =>
  /^\/([-_A-Za-z0-9]{1,64})\/?$/.exec(pathname)?.[1] ?? null

/** Publishing as JSON goes to the root of the server and names the topic. */
function ntfyPost(url: URL, { title, lines, silent, url: link }: Outgoing): WebhookPost | null {
  const topic = ntfyTopic(url)
  if (topic === null) return null
  const shown = fitLines(lines, (fitting) => Buffer.byteLength(fitting.join('\n')) <= MAX_NTFY_BYTES)
  const click = absoluteLink(link)
  const body = {
    topic,
    title: titleLine(title),
    // An empty one would be shown as "triggered".
    message: shown.join('\n') || titleLine(title),
    priority: silent ? NTFY_LOW : NTFY_HIGH,
    ...(click !== null && { click }),
  }
  const root = new URL(url)
  root.pathname = '/'
  return { url: root.href, body: JSON.stringify(body) }
}

function discordPost(url: URL, outgoing: Outgoing): WebhookPost {
  const target = new URL(url)
  // Otherwise a message that was not kept is answered as if it had been.
  target.searchParams.set('wait', 'true')
  const body = {
    content: messageOf(outgoing, escapeDiscord, MAX_DISCORD_LENGTH),
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS | (outgoing.silent ? SUPPRESS_NOTIFICATIONS : 0),
  }
  return { url: target.href, body: JSON.stringify(body) }
}

function messageOf({ title, lines, url }: Outgoing, escape: (line: string) => string, maxLength: number): string {
  const [head, link] = [titleLine(title), absoluteLink(url)]
  const message = (shown: readonly string[]): string =>
    [...[head, ...shown].map(escape), ...(link === null ? [] : [link])].join('\n')
  return message(fitLines(lines, (shown) => message(shown).length <= maxLength))
}

/** Slack takes only these three for its own; with them `<!channel>` would call everybody. */
const escapeSlack = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Marks of Markdown are shown as they are. */
const escapeDiscord = (line: string): string => line.replaceAll(/[\\*_~`|[\]]|^[#>-]/g, String.raw`\$&`)

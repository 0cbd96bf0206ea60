import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AllowedTargets } from '../src/channels/allowed-targets.ts'
import { templateOf, type WebhookTemplate } from '../src/channels/webhook-template.ts'
import { WebhookChannel, webhookProblem } from '../src/channels/webhook.ts'
import { makeCertificate } from './certificate.ts'
import { isSentence, NOW, outgoing } from './outgoing.ts'
import { status, WebhookReceiver } from './webhook-receiver.ts'

const certificate = makeCertificate()
const network = { allowed: new AllowedTargets(['localhost']), ca: certificate.cert }
const channel = new WebhookChannel({ network, now: () => NOW })

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await WebhookReceiver.start(certificate)
})
afterAll(() => receiver[Symbol.asyncDispose]())
beforeEach(() => {
  receiver.answer = status(200)
  receiver.received.length = 0
})
const to = (template: WebhookTemplate, path = '/hook/secret-token') => ({ url: receiver.server.url(path), template })
const field = (name: string): string => String(Reflect.get(Object(receiver.last.json), name))

test.each([
  ['https://hooks.slack.com/services/T0/B0/xyz', 'slack'],
  ['https://discord.com/api/webhooks/1/abc', 'discord'],
  ['https://discordapp.com/api/webhooks/1/abc', 'discord'],
  ['https://canary.discord.com/api/v10/webhooks/1/abc', 'discord'],
  ['https://discord.com/channels/1', null],
  ['https://ntfy.sh/topic', 'ntfy'],
  ['https://hooks.slack.com.evil.example/', null],
  ['https://example.com/hook', null],
  ['nonsense', null],
])('%s is meant for %s', (url, expected) => expect(templateOf(url)).toBe(expected))

describe('everything, for programs', () => {
  test('as it is, and by what each try can be seen to be the same', async () => {
    const message = outgoing()
    expect(await channel.send(to('json'), message)).toEqual({ kind: 'sent' })
    const headers = { 'idempotency-key': message.id, 'x-digger-id': message.id, 'content-type': /^application\/json/ }
    expect(receiver.last).toMatchObject({ method: 'POST', path: '/hook/secret-token', json: message })
    expect(receiver.last.headers).toMatchObject({
      ...headers,
      'content-type': expect.stringMatching(/^application\/json/),
    })
  })

  test('lines are lines', async () => {
    await channel.send(to('json'), outgoing({ title: 'a\r\nb', lines: ['c\nd', '\uD800'] }))
    expect(receiver.last.json).toMatchObject({ title: 'a b', lines: ['c d', '\uFFFD'] })
  })
})

describe('ntfy', () => {
  test('is published as JSON at the root, with the topic of the path', async () => {
    await channel.send(to('ntfy', '/my_topic-1'), outgoing())
    const { title, lines, url } = outgoing()
    expect(receiver.last).toMatchObject({
      path: '/',
      json: { topic: 'my_topic-1', title, message: lines.join('\n'), priority: 4, click: url },
    })
  })

  test('without a sound, without a page, without lines', async () => {
    await channel.send(to('ntfy', '/topic/'), outgoing({ silent: true, url: '/accounts/1', lines: [] }))
    expect(receiver.last.json).toEqual({
      topic: 'topic',
      title: outgoing().title,
      message: outgoing().title,
      priority: 2,
    })
  })

  test('with a token in the query or a password', async () => {
    const url = new URL(receiver.server.url('/topic?auth=abc'))
    url.password = 'tk_abc'
    await channel.send({ url: url.href, template: 'ntfy' }, outgoing())
    expect([receiver.last.path, receiver.last.headers.authorization]).toEqual([
      '/?auth=abc',
      `Basic ${Buffer.from(':tk_abc').toString('base64')}`,
    ])
  })

  test('at most 4,000 bytes', async () => {
    await channel.send(to('ntfy', '/topic'), outgoing({ lines: Array.from({ length: 100 }, () => '가'.repeat(50)) }))
    expect(Buffer.byteLength(field('message'))).toBeLessThanOrEqual(4_000)
    expect(field('message')).toMatch(/\n… 외 74건$/)
  })

  test.each(['/', '/a/b', '/a.b', `/${'a'.repeat(65)}`, '/%ED%86%A0'])('not without a topic: %s', async (path) => {
    expect(await channel.send(to('ntfy', path), outgoing())).toMatchObject({ kind: 'dead' })
    expect(receiver.received).toEqual([])
  })
})

describe('Slack', () => {
  test('calls nobody and links nowhere but to our page', async () => {
    await channel.send(
      to('slack'),
      outgoing({ title: '<!channel> A&B', lines: ['<https://evil.example|여기>', '1 > 0'] }),
    )
    expect(receiver.last.json).toEqual({
      text: '&lt;!channel&gt; A&amp;B\n&lt;https://evil.example|여기&gt;\n1 &gt; 0\nhttps://digger.example/accounts/1',
    })
  })

  test('at most 4,000 characters, and no escape is cut in half', async () => {
    await channel.send(to('slack'), outgoing({ lines: ['&'.repeat(10_000), 'b'] }))
    const [, cut, note, link] = field('text').split('\n')
    expect(field('text').length).toBeLessThanOrEqual(4_000)
    expect(cut).toMatch(/^(?:&amp;)+…$/)
    expect([note, link]).toEqual(['… 외 1건', 'https://digger.example/accounts/1'])
  })
})

describe('Discord', () => {
  test('mentions nobody, shows marks as they are, and is asked to say whether it was kept', async () => {
    await channel.send(
      to('discord', '/api/webhooks/1/abc?thread_id=5'),
      outgoing({ lines: ['@everyone *굵게* a_b', '# 큰'] }),
    )
    expect(receiver.last).toMatchObject({
      path: '/api/webhooks/1/abc?thread_id=5&wait=true',
      json: {
        content: `${outgoing().title}\n@everyone \\*굵게\\* a\\_b\n\\# 큰\nhttps://digger.example/accounts/1`,
        allowed_mentions: { parse: [] },
        flags: 4,
      },
    })
  })

  test('without a sound', async () => {
    await channel.send(to('discord'), outgoing({ silent: true, url: null }))
    expect(receiver.last.json).toMatchObject({ flags: 4 + 4096 })
  })

  test('at most 2,000 characters', async () => {
    await channel.send(to('discord'), outgoing({ lines: Array.from({ length: 90 }, () => '_'.repeat(40)) }))
    expect(field('content').length).toBeLessThanOrEqual(2_000)
    expect(field('content')).toMatch(/\n… 외 \d+건\nhttps:/)
  })
})

describe('what the receiver says', () => {
  test.each([
    [200, 'sent'],
    [202, 'sent'],
    [204, 'sent'],
    [301, 'dead'],
    [302, 'dead'],
    [307, 'dead'],
    [308, 'dead'],
    [400, 'again'],
    [401, 'dead'],
    [403, 'dead'],
    [404, 'dead'],
    [405, 'again'],
    [408, 'again'],
    [410, 'dead'],
    [413, 'again'],
    [425, 'again'],
    [429, 'again'],
    [500, 'again'],
    [502, 'again'],
    [503, 'again'],
    [504, 'again'],
    [599, 'again'],
  ])('%d: %s', async (code, kind) => {
    receiver.answer = status(code, code < 400 ? { location: receiver.server.url('/elsewhere') } : {})
    const sent = await channel.send(to('json'), outgoing())
    expect(sent.kind).toBe(kind)
    expect(sent.kind === 'sent' || isSentence(sent.why, ['secret-token', 'localhost'])).toBe(true)
    expect(receiver.received).toHaveLength(1)
  })

  test.each([
    ['2', 2_000],
    ['0.3', 300],
    ['Mon, 02 Mar 2026 00:00:05 GMT', 5_000],
    ['604800', 86_400_000],
    ['never', null],
  ])('later, by Retry-After: %s', async (header, afterMs) => {
    receiver.answer = status(429, { 'retry-after': header })
    expect(await channel.send(to('json'), outgoing())).toMatchObject({ kind: 'again', afterMs })
  })

  test('nothing', async () => {
    receiver.answer = (response) => response.destroy()
    const sent = await channel.send(to('json'), outgoing())
    expect(sent.kind === 'again' && isSentence(sent.why, ['secret-token'])).toBe(true)
  })
})

describe('where it does not go', () => {
  const strict = new WebhookChannel({ now: () => NOW, network: { ca: certificate.cert, timeoutMs: 2_000 } })
  const secret = 'super-secret'
  test.each([
    ['this machine, by its address', `https://127.0.0.1/${secret}`, 'dead'],
    ['this machine, by name', `https://localhost/${secret}`, 'again'],
    ['the metadata of a cloud', `http://169.254.169.254/${secret}`, 'dead'],
    ['without TLS', `http://8.8.8.8/${secret}`, 'dead'],
    ['no address', `//${secret}`, 'dead'],
    ['a password that cannot be read', `https://%zz:${secret}@example.com/`, 'dead'],
    ['a name that is nowhere', `https://nowhere.invalid/${secret}`, 'again'],
  ])('%s', async (_name, url, kind) => {
    for (const template of ['json', 'slack', 'discord', 'ntfy'] as const) {
      const sent = await strict.send({ url, template }, outgoing())
      expect(sent.kind).toBe(kind)
      expect(sent.kind !== 'sent' && isSentence(sent.why, [secret, '127.0.0.1'])).toBe(true)
    }
  })

  test('a person is told at once what can be seen at once', () => {
    expect(webhookProblem('https://10.0.0.1/x', 'json')).toContain('내부망')
    expect(webhookProblem('https://10.0.0.1/x', 'json', new AllowedTargets(['10.0.0.0/8']))).toBeNull()
    expect(webhookProblem('https://ntfy.sh/', 'ntfy')).toContain('토픽')
    expect(webhookProblem('https://ntfy.sh/topic', 'ntfy')).toBeNull()
    expect(webhookProblem('nonsense', 'ntfy')).toContain('https://')
    expect(webhookProblem('https://hooks.slack.com/services/x', 'slack')).toBeNull()
  })
})

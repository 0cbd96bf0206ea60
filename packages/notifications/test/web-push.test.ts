import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPushEndpoint } from '../src/channels/push-endpoint.ts'
import { makeVapidKeys, WebPushChannel } from '../src/channels/web-push.ts'
import { anyText, isSentence, NOW, outgoing } from './outgoing.ts'
import { PushService } from './push-service.ts'

const keys = makeVapidKeys()
const subject = 'mailto:operator@digger.example'
const now = () => NOW

let service: PushService
let channel: WebPushChannel
beforeAll(async () => {
  service = await PushService.start()
  channel = new WebPushChannel({ keys, subject, now, ...service.options })
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  service.answer = null
  service.received.length = 0
})

describe('which addresses a browser could have got', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:APA91b',
    'https://fcm.googleapis.com/wp/abc',
    'https://fcm.googleapis.com:443/wp/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
    'https://web.push.apple.com/QF8w7V',
    'https://api.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYA',
    'HTTPS://FCM.GoogleApis.com/wp/abc',
  ])('%s', (url) => expect(isPushEndpoint(url)).toBe(true))

  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://user@fcm.googleapis.com/fcm/send/abc',
    'https://:pass@fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com@evil.example/',
    'https://fcm.googleapis.com./fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/',
    'https://evilfcm.googleapis.com/',
    'https://storage.googleapis.com/',
    'https://push.apple.com/',
    'https://evilpush.apple.com/',
    'https://www.apple.com/.push.apple.com',
    'https://evil.example/#.push.apple.com',
    'https://notify.windows.com.evil.example/',
    'https://push.services.mozilla.com/',
    'https://localhost/',
    'https://169.254.169.254/',
    'ftp://fcm.googleapis.com/',
    'fcm.googleapis.com/fcm/send/abc',
    '',
  ])('not %s', (url) => expect(isPushEndpoint(url)).toBe(false))

  test('a host is what the URL standard takes for it, and so it is asked', async () => {
    expect(isPushEndpoint('https://fcm.googleapis.com\\@evil.example:1/')).toBe(true)
    const address = service.subscribe(keys.publicKey)
    const endpoint = address.endpoint.replace('/push', '\\push')
    expect(await channel.send({ ...address, endpoint }, outgoing())).toEqual({ kind: 'sent' })
  })

  test('further ones by host and port', () => {
    const also = ['push.home.lan', 'localhost:4443']
    expect(isPushEndpoint('https://push.home.lan/x', also)).toBe(true)
    expect(isPushEndpoint('https://localhost:4443/x', also)).toBe(true)
    expect(isPushEndpoint('https://localhost:4444/x', also)).toBe(false)
    expect(isPushEndpoint('http://push.home.lan/x', also)).toBe(false)
  })
})

describe('to a browser that subscribed', () => {
  test('the browser reads all of it, and the service sees who sends', async () => {
    const message = outgoing()
    expect(await channel.send(service.subscribe(keys.publicKey), message)).toEqual({ kind: 'sent' })
    const { id, title, url, silent } = message
    expect(service.received).toMatchObject([
      {
        payload: { id, title, body: message.lines.join('\n'), url, silent },
        ttl: 86_400,
        urgency: 'high',
        claims: { aud: service.server.url('').replace(/\/$/, ''), sub: subject },
      },
    ])
  })

  test('without a sound; a path stays one, for our own page opens it', async () => {
    await channel.send(service.subscribe(keys.publicKey), outgoing({ silent: true, url: '/accounts/1' }))
    expect(service.received).toMatchObject([{ urgency: 'low', payload: { silent: true, url: '/accounts/1' } }])
  })

  test('each try of one message has the same topic, and another message another', async () => {
    const address = service.subscribe(keys.publicKey)
    for (const id of ['a', 'a', 'b']) await channel.send(address, outgoing({ id }))
    const [first, second, other] = service.received.map(({ topic }) => topic)
    expect([first === second, first === other, first?.length]).toEqual([true, false, 32])
  })

  test('whatever is in it, at most 3,000 bytes, and what was left out is counted', async () => {
    const address = service.subscribe(keys.publicKey)
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 50 }), anyText, anyText, async (lines, title, path) => {
        service.received.length = 0
        expect(await channel.send(address, outgoing({ lines, title, url: `/${path}` }))).toEqual({ kind: 'sent' })
        expect(service.received[0]?.payloadBytes).toBeLessThanOrEqual(3_000)
      }),
      { numRuns: 40 },
    )
    await channel.send(
      address,
      outgoing({ lines: Array.from({ length: 100 }, (_, at) => `${at}번째 줄입니다, 가나다라마바사`) }),
    )
    const body = String(Reflect.get(Object(service.received.at(-1)?.payload), 'body')).split('\n')
    expect(body.at(-1)).toBe(`… 외 ${100 - (body.length - 1)}건`)
    expect(body.length).toBeGreaterThan(20)
  })

  test('many at once to many browsers', async () => {
    const addresses = Array.from({ length: 20 }, () => service.subscribe(keys.publicKey))
    const outcomes = await Promise.all(addresses.map((address) => channel.send(address, outgoing())))
    expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true)
    expect(service.received).toHaveLength(20)
  })
})

describe('what the service says against it', () => {
  test('nobody is there any more', async () => {
    const address = service.subscribe(keys.publicKey)
    service.unsubscribe(address)
    expect(await channel.send(address, outgoing())).toMatchObject({ kind: 'dead' })
  })

  test('it subscribed with another key of ours', async () => {
    const address = service.subscribe(makeVapidKeys().publicKey)
    expect(await channel.send(address, outgoing())).toMatchObject({ kind: 'dead', why: expect.stringContaining('키') })
  })

  test.each([
    ['gone', 404, '', 'dead'],
    ['gone', 410, '{"reason":"Unregistered"}', 'dead'],
    ['Google: another key', 403, 'the VAPID credentials … do not correspond to the credentials used …', 'dead'],
    ['Mozilla: another key', 401, '{"errno":109,"message":"VAPID public key mismatch"}', 'dead'],
    ['Apple: another key', 400, '{"reason":"VapidPkHashMismatch"}', 'dead'],
    ['no reason at all', 403, '', 'dead'],
    ['Apple: our clock or our subject', 403, '{"reason":"BadJwtToken"}', 'again'],
    ['Apple: our clock', 403, '{"reason":"ExpiredJwtToken"}', 'again'],
    ['Google: our clock', 403, 'invalid JWT provided', 'again'],
    ['too large', 413, '', 'again'],
    ['a message it does not like', 400, '{"reason":"BadWebPushTopic"}', 'again'],
    ['broken', 500, '<html>', 'again'],
    ['overloaded', 503, '', 'again'],
    ['moved', 301, '', 'dead'],
  ])('%s: %d', async (_name, status, body, kind) => {
    service.answer = { status, body }
    const sent = await channel.send(service.subscribe(keys.publicKey), outgoing())
    expect(sent.kind).toBe(kind)
    expect(sent.kind !== 'sent' && isSentence(sent.why)).toBe(true)
  })

  test.each([
    [429, '17', 17_000],
    [503, 'Mon, 02 Mar 2026 00:01:00 GMT', 60_000],
    [500, 'soon', null],
  ])('%d with Retry-After: %s', async (status, header, afterMs) => {
    service.answer = { status, headers: { 'retry-after': header } }
    expect(await channel.send(service.subscribe(keys.publicKey), outgoing())).toMatchObject({ kind: 'again', afterMs })
  })
})

describe('what is never sent', () => {
  test.each([
    ['a key of the browser that is too short', { p256dh: 'BAAA' }],
    ['a key that is on no curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a secret that is too short', { auth: 'AAAA' }],
    ['an empty one', { auth: '' }],
  ])('%s', async (_name, wrong) => {
    const before = service.server.connections
    const sent = await channel.send({ ...service.subscribe(keys.publicKey), ...wrong }, outgoing())
    expect([sent.kind, service.server.connections - before]).toEqual(['dead', 0])
  })

  test('to another host', async () => {
    const address = { ...service.subscribe(keys.publicKey), endpoint: 'https://localhost/' }
    expect(await channel.send(address, outgoing())).toMatchObject({ kind: 'dead' })
  })

  test('a service that cannot be reached now is asked again, and its address is not in the words', async () => {
    const closed = await PushService.start()
    const other = new WebPushChannel({ keys, subject, now, ...closed.options })
    const address = closed.subscribe(keys.publicKey)
    await closed[Symbol.asyncDispose]()
    const sent = await other.send(address, outgoing())
    const secrets = [new URL(address.endpoint).pathname, address.auth, keys.privateKey]
    expect(sent.kind === 'again' && isSentence(sent.why, secrets)).toBe(true)
  })
})

describe('keys and subject are judged when the program starts', () => {
  const options = { now, subject, keys }
  test.each([
    ['a public key of another private one', { keys: { ...keys, publicKey: makeVapidKeys().publicKey } }],
    ['a private key that is too short', { keys: { ...keys, privateKey: 'AAAA' } }],
    ['no key', { keys: { publicKey: '', privateKey: '' } }],
    ['a subject that is no address', { subject: 'operator@digger.example' }],
  ])('%s', (_name, wrong) => {
    const make = () => new WebPushChannel({ ...options, ...wrong })
    expect(make).toThrow(/key|subject|url/i)
    expect(make).not.toThrow(keys.privateKey)
  })

  test('new ones fit each other, and no two are alike', () => {
    const made = [makeVapidKeys(), makeVapidKeys()]
    for (const pair of made) expect(() => new WebPushChannel({ ...options, keys: pair })).not.toThrow()
    expect(made[0]).not.toEqual(made[1])
  })
})

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { EmailChannel, type EmailOptions } from '../src/channels/e-mail.ts'
import { isMailAddress, smtpSettings } from '../src/channels/smtp-settings.ts'
import { makeCertificate } from './certificate.ts'
import { MailServer, type MailServerOptions } from './mail-server.ts'
import { isSentence, outgoing } from './outgoing.ts'

const certificate = makeCertificate()
const from = '디거 <digger@digger.example>'
const login = { user: 'digger@digger.example', password: 'p@ss:w/rd%' }
const credentials = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`
const to = { to: 'person@mail.example' }

const open: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server[Symbol.asyncDispose]()))
})
async function start(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await MailServer.start(options)
  open.push(server)
  return server
}
const channelTo = (smtpUrl: string, over: Partial<EmailOptions> = {}) => new EmailChannel({ smtpUrl, from, ...over })

describe('what arrives', () => {
  test('all of it, as plain text, to one person, from the operator', async () => {
    const server = await start()
    const message = outgoing()
    expect(await channelTo(server.url()).send(to, message)).toEqual({ kind: 'sent' })
    const [mail] = server.received
    expect(mail).toMatchObject({
      from: 'digger@digger.example',
      to: ['person@mail.example'],
      text: [...message.lines, '', message.url].join('\n'),
      encrypted: false,
    })
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: '디거 <digger@digger.example>',
      to: 'person@mail.example',
      subject: message.title,
      'message-id': `<${message.id}@digger.example>`,
      'auto-submitted': 'auto-generated',
      date: 'Mon, 02 Mar 2026 00:00:00 +0000',
      'content-type': 'text/plain; charset=utf-8',
    })
    expect(mail?.headers.has('importance')).toBe(false)
  })

  test('each try has the same id; without a sound means of low importance', async () => {
    const server = await start()
    const channel = channelTo(server.url())
    for (let tries = 0; tries < 2; tries += 1) await channel.send(to, outgoing({ silent: true, url: null }))
    const [first, second] = server.received
    expect(first?.headers.get('message-id')).toBe(second?.headers.get('message-id'))
    expect([first?.headers.get('importance'), first?.headers.get('x-priority')?.slice(0, 1)]).toEqual(['Low', '5'])
  })

  test('many lines, long lines, dots, and characters of every kind', async () => {
    const server = await start()
    const lines = [
      '.',
      '..',
      '.hidden',
      '',
      '가'.repeat(2_000),
      '😀 = 50% _*',
      'From me',
      ...Array.from({ length: 500 }, (_, at) => `${at}`),
    ]
    await channelTo(server.url()).send(to, outgoing({ lines, url: null }))
    expect(server.received[0]?.text).toBe(lines.join('\n'))
  })

  test('no header, recipient or command comes in by a title, a line or an address', async () => {
    const server = await start()
    const channel = channelTo(server.url())
    const evil = 'x\r\nBcc: evil@evil.example\r\n\r\nbody\r\n.\r\nMAIL FROM:<evil@evil.example>'
    await channel.send(to, outgoing({ title: evil, lines: [evil, '\r\n.\r\nRCPT TO:<evil@evil.example>'] }))
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.to).toEqual(['person@mail.example'])
    expect(server.received[0]?.headers.has('bcc')).toBe(false)
    expect(server.received[0]?.headers.get('subject')).toMatch(/^x Bcc: evil@evil.example body/)
  })
})

describe('whom it goes to', () => {
  test.each(['a@b.example', 'first.last+tag@mail.example', '이름@메일.example', "o'neil@x.example"])('%s', (address) =>
    expect(isMailAddress(address)).toBe(true),
  )
  test.each([
    '',
    'a',
    '@b.example',
    'a@',
    'a@b@c',
    'a b@c.example',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Name <a@b.example>',
    '"a"@b.example',
    'a@b.example\r\nBcc: c@d.example',
    'a\n@b.example',
    'a@[127.0.0.1]',
    'group:a@b.example;',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(254)}`,
    'a\u0000@b.example',
  ])('not "%s"', async (address) => {
    expect(isMailAddress(address)).toBe(false)
    const sent = await channelTo('smtp://127.0.0.1:9').send({ to: address }, outgoing())
    expect(sent).toMatchObject({ kind: 'dead' })
  })
})

describe('TLS and log-in', () => {
  test.each<readonly [string, MailServerOptions, string]>([
    ['from the first byte', { certificate, secure: true, login }, ''],
    ['after STARTTLS', { certificate, login }, ''],
  ])('%s', async (_name, options, query) => {
    const server = await start(options)
    const channel = channelTo(server.url(credentials, query, 'localhost'), { ca: certificate.cert })
    expect(await channel.send(to, outgoing())).toEqual({ kind: 'sent' })
    expect(server.received[0]).toMatchObject({ encrypted: true, user: login.user })
  })

  test('a certificate of someone else gets neither password nor message', async () => {
    const server = await start({ certificate, secure: true, login })
    const sent = await channelTo(server.url(credentials, '', 'localhost')).send(to, outgoing())
    expect(sent).toMatchObject({ kind: 'again', why: expect.stringContaining('TLS') })
    expect(server.received).toEqual([])
  })

  test('on this machine a certificate that nobody signed is enough', async () => {
    const server = await start({ certificate, login })
    expect(await channelTo(server.url(credentials)).send(to, outgoing())).toEqual({ kind: 'sent' })
    expect(server.received[0]).toMatchObject({ encrypted: true })
  })

  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }, true],
    ['smtp://mail.example:25', { port: 25, requireTLS: true }, true],
    ['smtp://mail.example?requireTls=no', { requireTLS: false }, false],
    ['smtp://mail.example?requireTls=yes', { requireTLS: true }, true],
    ['smtp://localhost', { requireTLS: false }, false],
    ['smtp://127.0.0.1', { requireTLS: false }, false],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, requireTLS: false }, false],
    ['smtp://localhost.evil.example', { requireTLS: true }, true],
    ['smtps://mail.example', { port: 465, secure: true }, true],
    ['smtps://mail.example?requireTls=no', { secure: true }, true],
  ])('%s', (url, expected, rejectUnauthorized) => {
    expect(smtpSettings(url, from).transport).toMatchObject({ ...expected, tls: { rejectUnauthorized } })
  })

  test('without STARTTLS neither password nor message is sent, unless that was allowed', async () => {
    const server = await start({ login, inClear: true })
    // By this address a machine reaches itself, but it is none of the loopback ones.
    const url = (query: string) => server.url(credentials, query, '0.0.0.0')
    const sent = await channelTo(url('')).send(to, outgoing())
    expect(sent).toMatchObject({ kind: 'again', why: expect.stringContaining('TLS') })
    expect([server.received, server.logins]).toEqual([[], 0])
    expect(await channelTo(url('?requireTls=no')).send(to, outgoing())).toEqual({ kind: 'sent' })
    expect(server.received[0]).toMatchObject({ encrypted: false, user: login.user })
  })

  test('a wrong password is the operator’s matter, and is in no sentence', async () => {
    const server = await start({ certificate, login })
    const wrong = 'wrong-secret'
    const sent = await channelTo(server.url(`me:${wrong}`)).send(to, outgoing())
    expect(sent.kind === 'again' && isSentence(sent.why, [wrong, 'me'])).toBe(true)
    expect(sent).toMatchObject({ why: expect.stringContaining('비밀번호') })
  })
})

describe('settings that could never work are refused at once, without the password', () => {
  const secret = 'super-secret'
  test.each([
    [`http://me:${secret}@mail.example`, from],
    [`smtp:me:${secret}`, from],
    [`me:${secret}@mail.example`, from],
    [`smtp://me:${secret}%zz@mail.example`, from],
    [`smtp://me:${secret}@mail.example`, 'nobody'],
    [`smtp://me:${secret}@mail.example`, 'a@b, c@d'],
    [`smtp://me:${secret}@mail.example`, 'Name <a@b.example>\r\nBcc: x@y.example'],
    ['', from],
  ])('%s from %s', (smtpUrl, sender) => {
    const make = () => new EmailChannel({ smtpUrl, from: sender })
    expect(make).toThrow(/^(?!.*super-secret)/)
  })

  test.each([
    ['digger@a.example', { name: '', address: 'digger@a.example' }, 'a.example'],
    ['Digger <digger@a.example>', { name: 'Digger', address: 'digger@a.example' }, 'a.example'],
    ['"Digger, KR" <digger@b.example>', { name: 'Digger, KR', address: 'digger@b.example' }, 'b.example'],
  ])('%s is a sender', (text, sender, domain) =>
    expect(smtpSettings('smtp://localhost', text)).toMatchObject({ from: sender, domain }),
  )
})

describe('what the server says against it', () => {
  test.each([
    [550, '5.1.1 no such user', 'dead'],
    [551, 'user not local', 'dead'],
    [553, '5.1.3 bad address', 'dead'],
    [554, 'no such account', 'dead'],
    [556, '5.1.10 no mail for this domain', 'dead'],
    [550, '5.7.1 relaying denied', 'again'],
    [554, '5.7.1 blocked by a list', 'again'],
    [530, '5.7.0 log in first', 'again'],
    [552, '5.2.2 mailbox full', 'again'],
    [550, '5.2.2 over quota', 'again'],
    [450, '4.2.0 greylisted', 'again'],
    [451, 'try later', 'again'],
    [452, '4.2.2 mailbox full', 'again'],
    [421, 'closing', 'again'],
  ])('of the recipient: %d %s', async (code, words, kind) => {
    const server = await start()
    server.refused.set(to.to, { code, words })
    const sent = await channelTo(server.url()).send(to, outgoing())
    expect(sent.kind).toBe(kind)
    expect(sent.kind !== 'sent' && isSentence(sent.why, [words, to.to])).toBe(true)
  })

  test.each([
    [550, '5.7.1 looks like spam'],
    [552, '5.3.4 too big'],
    [451, '4.3.0 try later'],
  ])('of the message: %d %s: the address is not given up', async (code, words) => {
    const server = await start()
    server.refusal = { code, words }
    expect(await channelTo(server.url()).send(to, outgoing())).toMatchObject({ kind: 'again', afterMs: null })
  })
})

async function rawServer(speak: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    speak(socket)
  }).listen(0, '127.0.0.1')
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await once(server, 'listening')
  open.push({
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
  const address = server.address()
  return `smtp://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
}

describe('what is no mail server', () => {
  test.each<readonly [string, (socket: Socket) => void]>([
    ['silence', () => undefined],
    ['a reset', (socket) => void setImmediate(() => socket.resetAndDestroy())],
    ['an end without a word', (socket) => socket.end()],
    ['another protocol', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['binary', (socket) => socket.end(Buffer.from([0, 255, 254, 13, 10]))],
    ['a greeting that refuses', (socket) => socket.end('554 5.7.1 no service for you\r\n')],
    ['a greeting that asks to wait', (socket) => socket.end('421 4.7.0 busy\r\n')],
    ['a line without end', (socket) => socket.write(`220 ${'x'.repeat(3_000_000)}`)],
    ['a greeting, then nothing', (socket) => socket.write('220 mail.example ESMTP\r\n')],
    [
      'an answer to each step just in time',
      (socket) => {
        const timer = setInterval(() => socket.write('220-still here\r\n'), 20)
        socket.once('close', () => clearInterval(timer))
      },
    ],
  ])('%s: later again, and nothing is thrown', async (_name, speak) => {
    const sent = await channelTo(await rawServer(speak), { timeoutMs: 400 }).send(to, outgoing())
    expect(sent.kind === 'again' && isSentence(sent.why)).toBe(true)
  })

  test('nobody listens, and nowhere', async () => {
    for (const url of ['smtp://127.0.0.1:9', 'smtp://nowhere.invalid'])
      expect(await channelTo(url, { timeoutMs: 3_000 }).send(to, outgoing())).toMatchObject({ kind: 'again' })
  })
})

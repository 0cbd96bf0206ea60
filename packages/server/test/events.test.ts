import { once } from 'node:events'
import { connect } from 'node:net'
import type { Trade } from '@digger/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { type Person, type ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person
let base: string

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  base = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => fixture[Symbol.asyncDispose]())

/** An open stream, read piece by piece. */
async function open(cookie: string, path = '/api/user/events') {
  const leave = new AbortController()
  const reply = await fetch(base + path, { headers: { cookie }, signal: leave.signal })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    reply,
    leave: () => leave.abort(),
    /** Reads until the text so far contains `wanted`; everything read, or null when the stream ended before. */
    async until(wanted: string): Promise<string | null> {
      let text = ''
      while (!text.includes(wanted)) {
        const piece = await reader?.read()
        if (!piece || piece.done) return null
        text += piece.value
      }
      return text
    },
  }
}

test('sends what happens to the account as server-sent events, protected like every reply', async () => {
  const stream = await open(owner.cookie)
  expect(stream.reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(stream.reply.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  expect(stream.reply.headers.get('content-encoding')).toBeNull()
  await stream.until('retry: 2000')
  fixture.services.live.publish(owner.userId, { kind: 'trades', code: '005930', trades: null })
  expect(await stream.until('\n\n')).toBe('event: trades\ndata: {"code":"005930","trades":null}\n\n')
  stream.leave()
})

test('a fill brings its lot, as the list shows it', async () => {
  fixture.giveStock(owner.userId)
  const stream = await open(owner.cookie)
  await stream.until('retry: 2000')
  const at = fixture.clock.now()
  const lot = {
    id: 3,
    count: 1,
    buyPrice: 70_400,
    buyAmount: 70_400,
    boughtAt: at,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  fixture.accounts.happen(owner.userId, { at, kind: 'lotBought', code: '005930', lot })
  // The stock goes out at once, the lot with the next bundle.
  fixture.clock.advance(100)
  const [, data = ''] = /event: trades\ndata: (.*)\n\n/.exec((await stream.until('event: trades')) ?? '') ?? []
  const list: Trade[] = (
    await fixture.call('GET', '/api/user/stock/005930/trade?withOldTrade=false', { cookie: owner.cookie })
  ).json()
  expect(JSON.parse(data)).toEqual({ code: '005930', trades: list.filter(({ id }) => id === 3) })
  expect(JSON.parse(data)).toMatchObject({ trades: [{ id: 3, gainAmount: 100 }] })
  stream.leave()
})

test('beats while nothing happens', async () => {
  const stream = await open(owner.cookie)
  await stream.until('retry')
  fixture.clock.advance(15_000)
  expect(await stream.until('beat')).toMatch(/^: beat/)
  stream.leave()
})

test('a browser that does not read holds back what is newer, and gets the last of it when it does', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write(`GET /api/user/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${owner.cookie}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const task = 'x'.repeat(100_000)
  for (let done = 1; done <= 200; done += 1) {
    fixture.services.live.publish(owner.userId, { kind: 'progress', task, done, total: 200 })
    fixture.clock.advance(100)
  }
  const chunks: string[] = []
  for await (const chunk of socket.setEncoding('latin1')) {
    chunks.push(String(chunk))
    if (chunks.slice(-2).join('').includes('"done":200,')) break
  }
  const received = [...chunks.join('').matchAll(/"done":(\d+),/g)]
  expect(received.length).toBeGreaterThan(1)
  expect(received.length).toBeLessThan(200)
})

test('ends when the session does: by logging out, elsewhere too', async () => {
  const stream = await open(owner.cookie)
  await stream.until('retry')
  await fixture.call('DELETE', '/api/login', { cookie: owner.cookie })
  expect(await stream.until('never sent')).toBeNull()
})

test('ends when the session was taken away outside this process', async () => {
  const stream = await open(owner.cookie)
  await stream.until('retry')
  await fixture.database.pool.query('delete from session')
  fixture.clock.advance(30_000)
  expect(await stream.until('never sent')).toBeNull()
})

test('what happens to the account is only computed while somebody watches', async () => {
  let presented = 0
  const { accounts, services } = fixture
  const outlook = accounts.outlook.bind(accounts)
  accounts.outlook = (...of) => ((presented += 1), outlook(...of))
  const change = () => fixture.giveStock(owner.userId)
  change()
  expect(presented).toBe(0)
  const streams = [await open(owner.cookie), await open(owner.cookie)]
  for (const stream of streams) await stream.until('retry')
  change()
  expect(presented).toBe(1)
  for (const stream of streams) expect(await stream.until('event: stocks')).toContain('005930')
  for (const stream of streams) stream.leave()
  await expect.poll(() => services.live.streams).toBe(0)
  change()
  expect(presented).toBe(1)
})

test('twenty at once and no more; one that left makes room, and others have their own', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(owner.cookie)))
  for (const stream of streams) await stream.until('retry')
  const refused = await fixture.call('GET', '/api/user/events', { cookie: owner.cookie })
  expect(problemIn(refused)).toBe('BUSY')
  const mate = await fixture.addPerson('mate')
  const theirs = await open(mate.cookie)
  expect(await theirs.until('retry')).toContain('retry')
  streams[0]?.leave()
  await expect.poll(async () => (await open(owner.cookie)).reply.status).toBe(200)
  for (const stream of [...streams, theirs]) stream.leave()
})

test('an administrator may watch another; a user may not', async () => {
  const admin = await fixture.addPerson('boss', true)
  const path = `/api/${owner.userId}/events`
  const stream = await open(admin.cookie, path)
  await stream.until('retry')
  fixture.services.live.publish(owner.userId, { kind: 'orders' })
  expect(await stream.until('\n\n')).toMatch(/^event: orders/)
  stream.leave()
  const other = await fixture.addPerson('mate')
  expect(problemIn(await fixture.call('GET', path, { cookie: other.cookie }))).toBe('FORBIDDEN')
})

describe('an administrator who watches another is cut off', () => {
  let admin: Person
  beforeEach(async () => {
    admin = await fixture.addPerson('boss', true)
  })
  const watch = async () => {
    const stream = await open(admin.cookie, `/api/${owner.userId}/events`)
    await stream.until('retry')
    return stream
  }

  test('within 15 seconds after the rights were taken away outside this process; their own stream goes on', async () => {
    const [theirs, own] = [await watch(), await open(admin.cookie)]
    await fixture.database.pool.query('update users set digger_admin = false where id = $1', [admin.userId])
    fixture.clock.advance(10_000)
    expect(await theirs.until('never sent')).toBeNull()
    fixture.clock.advance(5_000)
    expect(await own.until('beat')).toContain('beat')
    own.leave()
  })

  test('when the account that is watched is deleted', async () => {
    const stream = await watch()
    // The audit holds on to people; by hand, and only so, a user goes all the same.
    await fixture.database.pool.query('alter table audit disable trigger user')
    await fixture.database.pool.query('delete from audit where user_id = $1', [owner.userId])
    await fixture.database.pool.query('delete from users where id = $1', [owner.userId])
    fixture.clock.advance(10_000)
    expect(await stream.until('never sent')).toBeNull()
  })

  test('when nobody can confirm the right any more; news between that and the end of the connection harm nothing', async () => {
    const stream = await watch()
    await fixture.database.pool.query('alter table session rename to session_away')
    fixture.clock.advance(15_000)
    await new Promise(setImmediate)
    fixture.clock.advance(5_000)
    fixture.services.live.publish(owner.userId, { kind: 'orders' })
    const ended = await stream.until('never sent')
    await fixture.database.pool.query('alter table session_away rename to session')
    expect(ended).toBeNull()
  })
})

test('closing the server ends every stream', async () => {
  const stream = await open(owner.cookie)
  await stream.until('retry')
  const ended = stream.until('never sent')
  await fixture.app.close()
  expect(await ended).toBeNull()
})

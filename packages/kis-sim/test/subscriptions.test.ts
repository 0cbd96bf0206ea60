import { createDecipheriv } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type RawSocket } from './client.ts'
import { NOTICE, NOTICE_CHANNEL } from './wire.ts'

const CODE = '005930'
const ME = demoCredentials(0)

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim({ assumptions: { pingPongMs: [1e9, 1e9] }, ...options })
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
}
beforeEach(() => open())
afterEach(() => sim.close())

const code = (n: number): string => String(n).padStart(6, '0')
const registered = async (socket: RawSocket, trId: string, key: string): Promise<string> =>
  (await socket.register(trId, key)).body.msg_cd

describe('41 registrations on one socket', () => {
  test('of any kind, the notices among them; a failed one takes no place', async () => {
    await sim.close()
    await open({ limits: 'enforced' })
    const socket = await client.socket()
    const kinds = ['H0STCNT0', 'H0STASP0', 'H0NXCNT0', 'H0UNCNT0', 'H0STMKO0']
    const codes = []
    for (let n = 0; n < 40; n++) codes.push(await registered(socket, kinds[n % 5] ?? '', code(n)))
    expect(await registered(socket, 'H0XXXXXX', CODE)).toBe('OPSP8991')
    expect(await registered(socket, kinds[0] ?? '', code(0))).toBe('OPSP0002')
    codes.push((await socket.notices()).body.msg_cd)
    expect(new Set(codes)).toEqual(new Set(['OPSP0000']))
    expect(await registered(socket, 'H0STCNT0', '999999')).toBe('OPSP0008')
    await socket.register(kinds[1] ?? '', code(1), '2')
    expect(await registered(socket, 'H0STCNT0', '999999')).toBe('OPSP0000')
    expect(sim.registered(ME.appKey)).toHaveLength(41)
  })

  test('each key has its own 41, and a new socket starts at none', async () => {
    await sim.close()
    await open({ limits: 'enforced' })
    const other = await (await RawClient.login(sim, demoCredentials(1))).socket()
    const socket = await client.socket()
    for (let n = 0; n < 41; n++) await socket.register('H0STCNT0', code(n))
    expect(await registered(other, 'H0STCNT0', CODE)).toBe('OPSP0000')
    const end = new Promise((resolve) => socket.ws.once('close', resolve))
    sim.sockets('cut', ME.appKey)
    await end
    expect(sim.registered(ME.appKey)).toEqual([])
    expect(await registered(await client.socket(), 'H0STCNT0', CODE)).toBe('OPSP0000')
  })

  test('without limits there are more', async () => {
    const socket = await client.socket()
    for (let n = 0; n < 60; n++) expect(await registered(socket, 'H0STCNT0', code(n))).toBe('OPSP0000')
  })
})

test.each<[string, string, string]>([
  ['no JSON', 'hello', 'OPSP8999'],
  ['no header', '{}', 'OPSP8999'],
  ['no body', '{"header":{"approval_key":"x"}}', 'OPSP8999'],
  ['no key', '{"header":{"approval_key":"x"},"body":{"input":{"tr_id":"H0STCNT0"}}}', 'OPSP8999'],
])('a message with %s is answered, and the socket lives', async (_name, text, expected) => {
  const socket = await client.socket()
  socket.ws.send(text)
  expect(await socket.take()).toContain(expected)
  expect(await registered(socket, 'H0STCNT0', CODE)).toBe('OPSP0000')
})

test.each<[string, Record<string, string>, string]>([
  ['type', { tr_type: '3' }, 'OPSP8997'],
  ['type 0, as wrong samples write', { tr_type: '0' }, 'OPSP8997'],
  ['customer type', { custtype: 'X' }, 'OPSP8998'],
  ['approval key', { approval_key: 'nobody' }, 'OPSP0011'],
])('a wrong %s is refused', async (_name, wrong, expected) => {
  const socket = await client.socket()
  const header = { approval_key: await client.approval(), custtype: 'P', tr_type: '1', ...wrong }
  socket.ws.send(JSON.stringify({ header, body: { input: { tr_id: 'H0STCNT0', tr_key: CODE } } }))
  expect(await socket.take()).toContain(expected)
  expect(sim.registered(ME.appKey)).toEqual([])
})

test('a frozen socket serves nothing that it registered, and keeps its key', async () => {
  const socket = await client.socket()
  expect(sim.isKeyHeld(ME.appKey)).toBe(false)
  await socket.register('H0STCNT0', CODE)
  expect([sim.registered(ME.appKey), sim.isKeyHeld(ME.appKey)]).toEqual([[`H0STCNT0 ${CODE}`], true])
  sim.sockets('freeze', ME.appKey)
  expect([sim.registered(ME.appKey), sim.isKeyHeld(ME.appKey)]).toEqual([[], true])
  sim.sockets('cut', ME.appKey)
  await expect.poll(() => sim.isKeyHeld(ME.appKey)).toBe(false)
})

test('nothing comes after an unregistration, and other registrations go on', async () => {
  const socket = await client.socket()
  await socket.register('H0STCNT0', CODE)
  await socket.register('H0STCNT0', '000660')
  const ack = await socket.register('H0STCNT0', CODE, '2')
  expect(ack.body).toEqual({ rt_cd: '0', msg_cd: 'OPSP0001', msg1: 'UNSUBSCRIBE SUCCESS' })
  sim.setPrice(CODE, 70_100)
  sim.setPrice('000660', 840_000)
  expect((await socket.tick())['MKSC_SHRN_ISCD']).toBe('000660')
})

const decrypt = (frame: string, key = '', iv = ''): string => {
  const cipher = createDecipheriv('aes-256-cbc', key, iv)
  return cipher.update(frame.split('|')[3] ?? '', 'base64', 'utf8') + cipher.final('utf8')
}

const readable = (read: () => string): string => {
  try {
    return read()
  } catch {
    return 'bad padding'
  }
}

describe('encryption', () => {
  test('a notice is announced as encrypted and is; prices are neither', async () => {
    const socket = await client.socket()
    const [ack, plain] = [await socket.notices(), await socket.register('H0STCNT0', CODE)]
    expect([ack.header.encrypt, plain.header.encrypt]).toEqual(['Y', 'N'])
    await client.order({ count: 3, price: 69_000 })
    const frame = await socket.take()
    expect(frame.startsWith(`1|${NOTICE_CHANNEL.real}|001|`)).toBe(true)
    expect(frame).not.toContain(ME.accountNumber)
    const values = decrypt(frame, ack.body.output?.key, ack.body.output?.iv).split('^')
    expect(values).toHaveLength(NOTICE.length)
    expect(values.slice(0, 3)).toEqual([ME.htsId, ME.accountNumber, '0000000001'])
    sim.setPrice(CODE, 70_100)
    expect((await socket.take()).startsWith('0|H0STCNT0|001|005930^')).toBe(true)
  })

  test('each registration has a key of its own; one of before opens nothing', async () => {
    const socket = await client.socket()
    const first = (await socket.notices()).body.output
    await socket.register(NOTICE_CHANNEL.real, ME.htsId, '2')
    const second = (await socket.notices()).body.output
    expect([first?.key === second?.key, first?.iv === second?.iv]).toEqual([false, false])
    await client.order({ count: 3, price: 69_000 })
    const frame = await socket.take()
    expect(decrypt(frame, second?.key, second?.iv)).toContain(ME.accountNumber)
    // A wrong key gives bad padding, or by chance a text that is no notice.
    const withOldKey = (): string => decrypt(frame, first?.key, first?.iv)
    expect(readable(withOldKey)).not.toContain(ME.accountNumber)
  })

  test('a wrong HTS ID is refused as the broker does: rt_cd 9, without a channel', async () => {
    const socket = await client.socket()
    const { header, body } = await socket.register(NOTICE_CHANNEL.real, 'nobody')
    expect([header.tr_id, body.rt_cd, body.msg1]).toEqual(['(null)', '9', 'ERROR : htsid가잘못되었습니다'])
  })

  test('paper sends them on its own channel, and real’s is not its', async () => {
    const paper = demoCredentials(7)
    sim.addAccount({ credentials: paper, env: 'paper' })
    const who = await RawClient.login(sim, paper, 'paper')
    const socket = await who.socket()
    expect(await registered(socket, NOTICE_CHANNEL.real, paper.htsId)).toBe('OPSP8991')
    await socket.notices()
    await who.order({ count: 1, price: 69_000 })
    expect(await socket.notice()).toMatchObject({ ACNT_NO: paper.accountNumber, BRNC_NO: '00950' })
  })
})

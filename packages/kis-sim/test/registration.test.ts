import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type RawSocket } from './client.ts'

const CODE = '005930'

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
}
beforeEach(() => open())
afterEach(() => sim.close())

const closed = async ({ ws }: RawSocket): Promise<number> => {
  const [code]: unknown[] = await once(ws, 'close')
  return Number(code)
}

describe('registration', () => {
  test.each(['/', '/tryitout', '/tryitout/H0STCNT0'])('works on %s', async (path) => {
    const socket = await client.socket(path)
    const ack = await socket.register('H0STCNT0', CODE)
    expect(ack).toMatchObject({
      header: { tr_id: 'H0STCNT0', tr_key: CODE, encrypt: 'N' },
      body: { rt_cd: '0', msg_cd: 'OPSP0000', msg1: 'SUBSCRIBE SUCCESS' },
    })
    expect(ack.body.output?.iv).toMatch(/^[0-9a-f]{16}$/)
    expect(ack.body.output?.key).toMatch(/^[a-z]{32}$/)
  })

  test('another path is no socket', async () => {
    const socket = client.socket('/elsewhere')
    await expect(socket).rejects.toThrow('404')
  })

  test('answers twice, unknown, unregistered and wrong things as the broker does', async () => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    expect((await socket.register('H0STCNT0', CODE)).body).toMatchObject({ rt_cd: '1', msg_cd: 'OPSP0002' })
    expect((await socket.register('H0STCNT0', CODE, '2')).body).toMatchObject({ rt_cd: '0', msg_cd: 'OPSP0001' })
    expect((await socket.register('H0STCNT0', CODE, '2')).body).toMatchObject({ msg_cd: 'OPSP0003' })
    expect((await socket.register('H0XXXXXX', CODE)).body).toMatchObject({ msg_cd: 'OPSP8991' })
    const wrongId = await socket.register('H0STCNI0', 'somebody')
    expect([wrongId.header.tr_id, wrongId.body.rt_cd]).toEqual(['(null)', '9'])
    socket.ask('H0STCNT0', CODE, '1', 'no-such-key')
    expect(await socket.take()).toContain('OPSP0011')
  })

  test('the 42nd is refused, and a place given back can be used', async () => {
    await sim.close()
    await open({ limits: 'enforced' })
    const socket = await client.socket()
    await socket.notices()
    for (let n = 1; n < 41; n++)
      expect((await socket.register('H0STCNT0', String(n).padStart(6, '0'))).body.msg_cd).toBe('OPSP0000')
    expect((await socket.register('H0STCNT0', CODE)).body).toMatchObject({
      rt_cd: '1',
      msg_cd: 'OPSP0008',
      msg1: 'MAX SUBSCRIBE OVER',
    })
    await socket.register('H0STCNT0', '000001', '2')
    expect((await socket.register('H0STCNT0', CODE)).body.msg_cd).toBe('OPSP0000')
  })

  test('one socket holds the key until it is gone', async () => {
    const [first, second] = [await client.socket(), await client.socket()]
    await first.register('H0STCNT0', CODE)
    expect((await second.register('H0STCNT0', CODE)).body).toMatchObject({ rt_cd: '9', msg_cd: 'OPSP8996' })
    first.ws.close()
    await closed(first)
    const third = await client.socket()
    expect((await third.register('H0STCNT0', CODE)).body.rt_cd).toBe('0')
  })

  test('or the newcomer takes it, where that is how the broker works', async () => {
    await sim.close()
    await open({ assumptions: { keyInUse: 'displace' } })
    const [first, second] = [await client.socket(), await client.socket()]
    await first.register('H0STCNT0', CODE)
    expect((await second.register('H0STCNT0', CODE)).body.rt_cd).toBe('0')
    expect(await closed(first)).toBe(1006)
  })

  test('a released key may still be held for a while', async () => {
    await sim.close()
    await open({ assumptions: { socketReleaseMs: 10_000 } })
    const first = await client.socket()
    await first.register('H0STCNT0', CODE)
    sim.sockets('close')
    await closed(first)
    const second = await client.socket()
    expect((await second.register('H0STCNT0', CODE)).body.msg_cd).toBe('OPSP8996')
    await sim.clock.advance(10_000)
    expect((await second.register('H0STCNT0', CODE)).body.rt_cd).toBe('0')
  })

  test('paper has three channels', async () => {
    const paper = demoCredentials(5)
    sim.addAccount({ credentials: paper, env: 'paper' })
    const socket = await (await RawClient.login(sim, paper, 'paper')).socket()
    expect((await socket.notices()).header).toMatchObject({ tr_id: 'H0STCNI9', encrypt: 'Y' })
    expect((await socket.register('H0STCNT0', CODE)).body.rt_cd).toBe('0')
    expect((await socket.register('H0NXCNT0', CODE)).body.msg_cd).toBe('OPSP8991')
  })
})

describe('PINGPONG', () => {
  test.each<[string, (socket: RawSocket, text: string) => void]>([
    ['echoed', (socket, text) => socket.ws.send(text)],
    ['answered by a Pong frame', (socket, text) => socket.ws.pong(text)],
    ['answered by a Ping frame', (socket, text) => socket.ws.ping(text)],
  ])('%s keeps the session', async (_name, answer) => {
    const socket = await client.socket()
    socket.ws.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      if (text.includes('PINGPONG')) answer(socket, text)
    })
    for (let n = 0; n < 12; n++) {
      await sim.clock.advance(30_000)
      // A full turn over the wire: the answer is in when this one is.
      await socket.register('H0STCNT0', CODE)
    }
    expect(socket.received.filter((text) => text.includes('PINGPONG')).length).toBeGreaterThan(3)
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
  })

  test('without an answer the session ends', async () => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    const end = closed(socket)
    await sim.clock.advance(170_000)
    expect(await end).toBe(1006)
  })
})

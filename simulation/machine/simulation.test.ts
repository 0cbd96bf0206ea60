import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Dice } from './dice.ts'
import type { NetworkSocket } from './network.ts'
import { SimSocket } from './socket.ts'
import { TIMERS } from './timers.ts'
import { setSimulation, Simulation } from './simulation.ts'

let simulation: Simulation
beforeEach(() => {
  simulation = new Simulation(1, 0)
  setSimulation(simulation)
})
afterEach(async () => {
  await simulation.close()
  setSimulation(null)
})

describe('steps', () => {
  test('happen by time, those of one instant in the order they were asked for', async () => {
    const seen: string[] = []
    for (const [name, at] of [
      ['c', 5],
      ['a', 1],
      ['d', 5],
      ['b', 1],
    ] as const)
      simulation.at(at, null, () => void seen.push(`${name} ${simulation.now}`))
    simulation.at(2, null, () => void seen.push('never')).cancel()
    await simulation.run(10)
    expect(seen).toEqual(['a 1', 'b 1', 'c 5', 'd 5'])
    expect(simulation.now).toBe(10)
  })

  test('wait for promises, ticks and immediates of the one before, and for work outside', async () => {
    const seen: string[] = []
    simulation.at(1, simulation.start('one'), () => {
      process.nextTick(() => void Promise.resolve().then(() => seen.push('promise')))
      TIMERS.setImmediate(() => seen.push('immediate'))
      void simulation.outside
        .do(() => new Promise((resolve) => setTimeout(resolve, 20)))
        .then(() => seen.push('outside'))
    })
    simulation.at(1, null, () => void seen.push('next step'))
    await simulation.run(10)
    expect(seen).toEqual(['promise', 'immediate', 'outside', 'next step'])
  })

  test('work outside is done one at a time, however long each takes', async () => {
    const seen: number[] = []
    simulation.at(1, null, () => {
      for (const ms of [30, 1, 10])
        void simulation.outside.do(() => new Promise((resolve) => setTimeout(resolve, ms))).then(() => seen.push(ms))
    })
    await simulation.run(10)
    expect(seen).toEqual([30, 1, 10])
  })
})

describe('a process', () => {
  test('that stands still does nothing; then its timers come in the order of Node, intervals once', async () => {
    const seen: string[] = []
    const one = simulation.start('one')
    simulation.at(0, one, () => {
      TIMERS.setTimeout(() => seen.push('300'), 300)
      TIMERS.setTimeout(() => seen.push('200'), 200)
      const interval = TIMERS.setInterval(() => seen.push(`interval ${simulation.now}`), 100)
      TIMERS.setTimeout(() => TIMERS.clearInterval(interval), 1_250)
    })
    // A list for each length: the second timer of 200 ms comes with the first, before the interval.
    simulation.at(150, one, () => void TIMERS.setTimeout(() => seen.push('200 again'), 200))
    simulation.at(160, null, () => simulation.pause(one))
    simulation.at(1_000, null, () => simulation.resume(one))
    await simulation.run(2_000)
    expect(seen).toEqual(['interval 100', '200', '200 again', 'interval 1000', '300', 'interval 1100', 'interval 1200'])
  })

  test('runs again when each who stopped it has let it', async () => {
    const one = simulation.start('one')
    const seen: number[] = []
    simulation.at(0, null, () => simulation.pause(one))
    simulation.at(1, null, () => simulation.pause(one))
    simulation.at(2, null, () => simulation.resume(one))
    simulation.at(3, one, () => void seen.push(simulation.now))
    simulation.at(9, null, () => simulation.resume(one))
    await simulation.run(10)
    expect(seen).toEqual([9])
  })

  test('on a machine that sleeps: its even clock and its timers stand', async () => {
    const one = simulation.start('one')
    const seen: number[] = []
    simulation.at(
      0,
      one,
      () => void TIMERS.setTimeout(() => seen.push(simulation.now, one.evenNow(simulation.now)), 100),
    )
    simulation.at(50, null, () => simulation.sleep(one))
    simulation.at(1_050, null, () => simulation.wake(one))
    await simulation.run(2_000)
    expect(seen).toEqual([1_100, 100])
  })

  test('that has ended does nothing, not even what it had begun', async () => {
    const one = simulation.start('one')
    const seen: string[] = []
    simulation.at(1, one, () => {
      TIMERS.setImmediate(() => seen.push('immediate'))
      TIMERS.setTimeout(() => seen.push('timer'), 1)
      simulation.end(one, { how: 'left', why: 'done' })
    })
    await simulation.run(10)
    expect(seen).toEqual([])
  })

  test('dies of what a step throws, and no other', async () => {
    const [one, other] = [simulation.start('one'), simulation.start('other')]
    const crashed: string[] = []
    simulation.onCrash = ({ name }) => void crashed.push(name)
    simulation.at(1, one, () => simulation.as(other, () => JSON.parse('{')))
    await simulation.run(10)
    expect([crashed, one.alive, other.alive]).toEqual([['other'], true, false])
  })
})

const draws = (dice: Dice) => Array.from({ length: 5 }, () => dice.word())

test('chance: a stream is decided by its seed and name, and disturbs no other', () => {
  const [one, again, other] = [new Dice(1, 'a'), new Dice(1, 'a'), new Dice(1, 'b')]
  const first = draws(one)
  draws(other)
  expect(draws(again)).toEqual(first)
  expect(draws(new Dice(1, 'b'))).not.toEqual(first)
  expect(draws(new Dice(2, 'a'))).not.toEqual(first)
})

/** Server and client, joined after 100 ms. */
async function joined() {
  const [server, client] = [simulation.start('server'), simulation.start('client')]
  const seen: string[] = []
  const taken: NetworkSocket[] = []
  const line = simulation.network.line('server', 'client')
  line.inParts = 0
  const note = <S extends NetworkSocket>(who: string, socket: S): S =>
    socket
      .on('data', (bytes) => seen.push(`${who} ${String(bytes)}`))
      .on('end', () => seen.push(`${who} end`))
      .on('error', (error) => seen.push(`${who} ${'code' in error ? String(error.code) : error.message}`))
  const accept = (socket: NetworkSocket): void => void taken.push(note('server', socket))
  simulation.network.listen(80, { process: server, allowHalfOpen: true, accept })
  const socket = simulation.enter(client, () => note('client', new SimSocket()).connect(80))
  await simulation.run(100)
  const [peer] = taken
  if (peer === undefined) throw new Error('not connected')
  return { server, client, seen, line, socket, peer, note }
}

describe('lines', () => {
  test('bytes written before a socket is destroyed arrive when the line is mended, then the end', async () => {
    const { line, socket, seen } = await joined()
    line.cut = true
    socket.write('order')
    socket.destroy()
    await simulation.run(60_000)
    expect(seen).toEqual([])
    line.cut = false
    await simulation.run(200_000)
    expect(seen).toEqual(['server order', 'server end'])
  })

  test('so they do when the process was killed; its kernel gives up after 100 s', async () => {
    const { line, client, socket, seen } = await joined()
    line.cut = true
    socket.write('order')
    simulation.end(client, { how: 'killed', why: 'test' })
    await simulation.run(300_000)
    line.cut = false
    await simulation.run(900_000)
    expect(seen).toEqual([])
  })

  test('a reset drops what did not leave; the other side hears of it when it writes', async () => {
    const { line, socket, peer, seen } = await joined()
    line.cut = true
    socket.write('order')
    socket.resetAndDestroy()
    await simulation.run(1_000)
    line.cut = false
    await simulation.run(300_000)
    expect(seen).toEqual([])
    peer.write('answer')
    await simulation.run(301_000)
    expect(seen).toEqual(['server ECONNRESET'])
  })

  test('what is on its way when a connection is reset arrives all the same', async () => {
    const { line, socket, seen } = await joined()
    line.lateMs = 5_000
    socket.write('order')
    await simulation.run(1_000)
    socket.resetAndDestroy()
    await simulation.run(20_000)
    expect(seen).toEqual(['server order', 'server ECONNRESET'])
  })

  test('what was on its way when the line was cut is sent again, in its order', async () => {
    const { line, socket, seen } = await joined()
    line.lateMs = 500
    socket.write('one')
    await simulation.run(300)
    line.cut = true
    socket.write('two')
    await simulation.run(2_000)
    line.cut = false
    await simulation.run(10_000)
    expect(seen).toEqual(['server one', 'server two'])
  })

  test('the kernel takes bytes for a process that stands still; a kill then resets the connection', async () => {
    const { server, socket, seen } = await joined()
    simulation.pause(server)
    let isTaken = false
    socket.write('order', () => (isTaken = true))
    await simulation.run(30_000)
    expect([isTaken, seen]).toEqual([true, []])
    simulation.end(server, { how: 'killed', why: 'test' })
    await simulation.run(31_000)
    expect(seen).toEqual(['client ECONNRESET'])
  })

  test('a writer waits when a process that stands still has no room left', async () => {
    const { server, socket } = await joined()
    simulation.pause(server)
    let taken = 0
    for (let count = 0; count < 30; count++) socket.write(Buffer.alloc(100_000), () => (taken += 1))
    await simulation.run(10_000)
    expect(taken).toBeGreaterThan(5)
    expect(taken).toBeLessThan(15)
    simulation.resume(server)
    await simulation.run(20_000)
    expect(taken).toBe(30)
  })

  test('a client that is silent on a cut line loses its connection 15 s after its last word, as PostgreSQL asks for it', async () => {
    const { line, peer, seen } = await joined()
    peer.lookAfter({ idleMs: 5_000, everyMs: 2_000, tries: 3 }, 15_000)
    await simulation.run(50_000)
    expect(seen).toEqual([])
    line.cut = true
    await simulation.run(58_000)
    expect(seen).toEqual([])
    await simulation.run(72_000)
    expect(seen).toEqual(['server ETIMEDOUT'])
  })

  test('the same while an answer of it is not acknowledged', async () => {
    const { line, peer, seen } = await joined()
    peer.lookAfter({ idleMs: 5_000, everyMs: 2_000, tries: 3 }, 15_000)
    line.cut = true
    peer.write('answer')
    await simulation.run(30_000)
    expect(seen).toEqual(['server ETIMEDOUT'])
  })

  test('a machine that sleeps takes nothing; what was sent to it comes when it is awake', async () => {
    const { server, socket, seen } = await joined()
    simulation.sleep(server)
    socket.write('order')
    await simulation.run(60_000)
    simulation.wake(server)
    await simulation.run(60_001)
    expect(seen).toEqual([])
    await simulation.run(300_000)
    expect(seen).toEqual(['server order'])
  })

  test.each([
    ['a process that stands still', 'none', 'connected'],
    ['one that is gone', 'ECONNREFUSED', 'closed'],
    ['one behind a cut line', 'ETIMEDOUT', 'closed'],
  ])('a connection to %s: %s', async (whom, error, end) => {
    const { server, client, line, note, seen } = await joined()
    if (whom.includes('still')) simulation.pause(server)
    else if (whom.includes('gone')) simulation.end(server, { how: 'killed', why: 'test' })
    else line.cut = true
    const socket = simulation.enter(client, () => note('second', new SimSocket()).connect(80))
    await simulation.run(200_000)
    expect(socket.destroyed ? 'closed' : 'connected').toBe(end)
    expect(seen.filter((what) => what.startsWith('second'))).toEqual(error === 'none' ? [] : [`second ${error}`])
  })
})

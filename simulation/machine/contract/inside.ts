import '../install.ts'
import { spawn } from 'node:child_process'
import { randomBytes, webcrypto } from 'node:crypto'
import { lookup } from 'node:dns'
import { readFile, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { setSimulation, Simulation } from '../simulation.ts'

/** What code inside a simulation finds; prints it. */
const simulation = new Simulation(1, Date.parse('2026-11-23T00:00:00Z'))
setSimulation(simulation)
const crashed: string[] = []
simulation.onCrash = ({ name }, error) => void crashed.push(`${name}: ${error instanceof Error ? error.message : ''}`)

function throwIt(): void {
  throw new Error('uncaught')
}

const WAYS: Readonly<Record<string, (throwIt: () => void) => void>> = {
  step: (throwIt) => throwIt(),
  tick: (throwIt) => process.nextTick(throwIt),
  microtask: (throwIt) => queueMicrotask(throwIt),
  immediate: (throwIt) => void setImmediate(throwIt),
  promise: (throwIt) => void Promise.resolve().then(throwIt),
  timer: (throwIt) => void setTimeout(throwIt, 1),
}
for (const [name, way] of Object.entries(WAYS)) {
  const process = simulation.start(name)
  // Another process is at work in the same step.
  simulation.at(1, simulation.start(`beside ${name}`), () => {
    simulation.enter(process, () => {
      if (name === 'step') simulation.as(process, throwIt)
      else way(throwIt)
    })
  })
}

const REFUSED: Readonly<Record<string, () => unknown>> = {
  fetch: () => fetch('http://127.0.0.1'),
  'AbortSignal.timeout': () => AbortSignal.timeout(1),
  lookup: () => lookup('localhost', () => undefined),
  spawn: () => spawn('true'),
  createGzip: () => createGzip(),
  readFile: () => readFile('/dev/null', () => undefined),
}
const refused: string[] = []
const clocks: unknown[] = []
const one = simulation.start('one')
one.wallOffset = 60_000
const other = simulation.start('other')
simulation.at(2_000, one, () => {
  for (const [name, call] of Object.entries(REFUSED)) {
    try {
      call()
    } catch {
      refused.push(name)
    }
  }
  clocks.push(new Date().toISOString(), performance.now(), process.uptime(), process.pid)
  clocks.push(readFileSync('/proc/uptime', 'latin1').split(' ')[0], new Date(0).getTime(), new Date() instanceof Date)
})
const draws: string[] = []
simulation.at(3_000, one, () => void draws.push(randomBytes(4).toString('hex')))
simulation.at(3_000, other, () => void draws.push(randomBytes(4).toString('hex')))
let waited = 0
async function late(): Promise<void> {
  await webcrypto.subtle.digest('SHA-256', Buffer.from('x'))
  waited = simulation.now
  await delay(500)
  clocks.push(simulation.now)
}
simulation.at(4_000, one, () => {
  void late()
})
await simulation.run(10_000)
setSimulation(null)
const report = { crashed: crashed.sort(), refused, clocks, distinct: new Set(draws).size, waited }
process.stdout.write(JSON.stringify(report), () => process.exit(0))

import { syncBuiltinESMExports } from 'node:module'
import './real.ts'
import './install/time.ts'
import './install/lines.ts'
import './install/machine.ts'
import './install/work.ts'
import { theSimulation } from './current.ts'

/**
 * Puts the simulation in the place of what a program asks of Node: time, lines, the machine, and work on other threads. To be
 * imported before anything of the product: libraries keep the functions they find when they are loaded.
 */
syncBuiltinESMExports()
await import('./install/undici.ts')

/** What nobody caught ends the process of the simulation whose code threw it: Node calls these in that code's context. */
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    const simulation = theSimulation()
    if (simulation === null) throw error
    simulation.uncaught(error)
  })

import { real } from './real.ts'
import { currentProcess, theSimulation } from './current.ts'

/** Ms of an even clock, as `performance.now()`: it stands while the machine sleeps. */
export function evenNow(): number {
  const simulation = theSimulation()
  if (simulation === null) return real.performanceNow()
  const process = currentProcess()
  return process === undefined ? simulation.now : process.evenNow(simulation.now)
}

/** Epoch ms of the machine's wall clock, which may be wrong. */
export function wallNow(): number {
  const simulation = theSimulation()
  if (simulation === null) return real.dateNow()
  return Math.floor(simulation.epoch + simulation.now + (currentProcess()?.wallOffset ?? 0))
}

/** Ms since the machine was started: nothing stops it and nobody sets it. */
export const bootMs = (): number => (theSimulation()?.now ?? 0) + 100_000

/** `Date` that tells the time of the simulation when asked for now, and is Node's own otherwise. */
export function clockOf(original: DateConstructor): DateConstructor {
  original.now = wallNow
  const proxy: DateConstructor = new Proxy(original, {
    construct: (target, args, made) =>
      Reflect.construct(target, args.length === 0 ? [wallNow()] : args, made === proxy ? target : made),
    apply: () => new original(wallNow()).toString(),
  })
  return proxy
}

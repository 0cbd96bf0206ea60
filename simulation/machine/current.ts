import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from './network.ts'
import type { Process } from './process.ts'
import type { Timeline } from './timeline.ts'

export type RunningSimulation = Timeline & { readonly network: Network }

export const current = new AsyncLocalStorage<Process>()

/** Whose code runs now; undefined outside of every process. */
export const currentProcess = (): Process | undefined => current.getStore()

let running: RunningSimulation | null = null

/** The simulation whose time and lines Node's functions stand for; null: the real ones. */
export const theSimulation = (): RunningSimulation | null => running

export function setSimulation(simulation: RunningSimulation | null): void {
  running = simulation
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from './network.ts'
import type { Process } from './process.ts'
import type { Timeline } from './timeline.ts'

export type RunningWorld = Timeline & { readonly network: Network }

export const current = new AsyncLocalStorage<Process>()

/** Whose code runs now; undefined outside of every process. */
export const currentProcess = (): Process | undefined => current.getStore()

let running: RunningWorld | null = null

/** The world whose time and lines Node's functions stand for; null: the real ones. */
export const theWorld = (): RunningWorld | null => running

export function setWorld(world: RunningWorld | null): void {
  running = world
}

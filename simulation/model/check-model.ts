import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Spin } from './find-spin.mjs'

const run = promisify(execFile)
const MODEL = join(import.meta.dirname, 'fence.pml')
/** Steps of the longest way that is followed; a longer one is told, and counts as not exhaustive. */
const MAX_DEPTH = 1_000_000
/** Of states that are kept, 2^n places: more states only make it slower. */
const HASH_BITS = 22
const MAX_OUTPUT = 2 ** 24

/** One variant of the model. */
export interface Variant {
  readonly name: string
  /** What is defined, as `NO_EPOCH` or `FAULTS=2`. */
  readonly defines: readonly string[]
  /** What the search is to end with. */
  readonly expected: 'holds' | 'broken'
}

export const VARIANTS: readonly Variant[] = [
  { name: 'never two orders for one lot', defines: [], expected: 'holds' },
  { name: 'decided within 7 ticks of calm', defines: ['CALM=7', 'TAKEOVERS=1'], expected: 'holds' },
  { name: 'without the comparison of epochs', defines: ['NO_EPOCH'], expected: 'broken' },
  { name: 'without the deadline in the last look', defines: ['NO_DEADLINE'], expected: 'broken' },
  { name: 'without the waiting time of inherited orders', defines: ['NO_WAIT'], expected: 'broken' },
]

/** Rules of the product as they were before the model was made: each gave an order up that could still arrive. */
export const OLD_RULES: readonly Variant[] = [
  { name: 'waiting short after a refused first commit', defines: ['OLD_RETRY', 'FAULTS=2'], expected: 'broken' },
  { name: 'waiting short for what the owner before had read again', defines: ['OLD_HEIR'], expected: 'broken' },
  { name: 'not waiting anew from a late time-out', defines: ['OLD_TIMEOUT'], expected: 'broken' },
]

export interface Found {
  readonly result: 'holds' | 'broken'
  readonly states: number
  /** Steps of the way that breaks the promise; null where none does. */
  readonly steps: number | null
}

/** Searches every state of the variant, or up to the first that breaks the promise. Throws where the search is not exhaustive. */
export async function checkModel({ spin, gcc }: Spin, { defines }: Pick<Variant, 'defines'>): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'digger-model-'))
  try {
    const inFolder = { cwd: folder, maxBuffer: MAX_OUTPUT }
    await run(spin, [...defines.map((define) => `-D${define}`), '-a', MODEL], inFolder)
    // Spin's code makes gcc warn; no bit-state, no compaction: each state is compared whole.
    await run(gcc, ['-Og', '-w', '-DSAFETY', '-o', 'search', 'pan.c'], inFolder)
    const { stdout } = await run('./search', ['-n', `-m${MAX_DEPTH}`, `-w${HASH_BITS}`], inFolder)
    return foundIn(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What spin's search says at its end. */
export function foundIn(output: string): Found {
  const states = Number(/([\d.e+]+) states, stored/.exec(output)?.[1] ?? Number.NaN)
  const broken = /assertion violated .* \(at depth (\d+)\)/.exec(output)
  if (broken !== null) return { result: 'broken', states, steps: Number(broken[1]) }
  const isWhole = /errors: 0$/m.test(output) && !/not completed|max search depth too small/.test(output)
  if (!isWhole || !(states > 0)) throw new Error(`the search did not come to its end:\n${output}`)
  return { result: 'holds', states, steps: null }
}

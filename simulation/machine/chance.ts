import { real } from './real.ts'
import { currentProcess, theSimulation } from './current.ts'
import { Dice } from './dice.ts'

const outside = new Dice(1, 'outside')

const dice = (): Dice => currentProcess()?.chance ?? outside

export const random = (): number => (theSimulation() === null ? real.random() : dice().unit())

function bytes(size: number): Buffer {
  const made = Buffer.alloc(size)
  dice().scatter(made)
  return made
}

function uuid(): string {
  const hex = bytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/**
 * Always the same bytes. Libraries fill a store with them that all processes of all runs share (the masks of ws): drawn from
 * a process' own chance, it would depend on what ran before.
 */
function fillWithoutState(target: Uint8Array): void {
  new Dice(1, 'filled').scatter(target)
}

/** `crypto.getRandomValues`. */
export function fillWithChance<T extends ArrayBufferView>(target: T): T {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
  dice().scatter(bytes)
  return target
}

/** What stands in for the functions of `node:crypto`: secrets of a simulated run are no secrets. */
export const CHANCE = {
  randomBytes: (size: number, done?: (error: null, made: Buffer) => void): Buffer | undefined => {
    const made = bytes(size)
    if (done === undefined) return made
    process.nextTick(done, null, made)
    return undefined
  },
  randomFillSync: (target: Uint8Array, offset = 0, size = target.length - offset): Uint8Array => {
    fillWithoutState(target.subarray(offset, offset + size))
    return target
  },
  randomUUID: uuid,
  randomInt: (from: number, to?: number): number =>
    to === undefined ? dice().whole(0, from - 1) : dice().whole(from, to - 1),
}

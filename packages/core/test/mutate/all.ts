import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ACTING } from './acting.ts'
import { BOOKING } from './booking.ts'
import { COMPARING } from './comparing.ts'
import { DECIDING } from './deciding.ts'
import { DOUBTING } from './doubting.ts'
import { HOLDING } from './holding.ts'
import { LIMITING } from './limiting.ts'
import type { Guard } from './guard.ts'
import { READING } from './reading.ts'
import { SENDING } from './sending.ts'

const PACKAGES = resolve(import.meta.dirname, '../../..')

export const GUARDS: readonly Guard[] = [
  ...DECIDING,
  ...BOOKING,
  ...ACTING,
  ...COMPARING,
  ...HOLDING,
  ...LIMITING,
  ...DOUBTING,
  ...SENDING,
  ...READING,
]

/** A guard that moved or was rewritten must be followed by its mutant, or nobody looks whether it is missed. */
export const isFoundOnce = ({ home, file, from }: Guard): boolean =>
  readFileSync(join(PACKAGES, home, 'src', file), 'utf8').split(from).length === 2

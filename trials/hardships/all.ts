import { clockJump } from './clock-jump.ts'
import { cutLine } from './cut-line.ts'
import { cuts } from './cuts.ts'
import { databaseGone } from './database-gone.ts'
import { frozenBroker } from './frozen-broker.ts'
import { fullDisk } from './full-disk.ts'
import type { Hardship } from './hardship.ts'
import { phantom } from './phantom.ts'
import { refusals } from './refusals.ts'
import { stolenLock } from './stolen-lock.ts'
import { stopUnderLoad } from './stop-under-load.ts'
import { strangers } from './strangers.ts'
import { takeover } from './takeover.ts'
import { unwritable } from './unwritable.ts'

/** In the order they run. */
export const HARDSHIPS: readonly Hardship[] = [
  fullDisk,
  databaseGone,
  unwritable,
  cuts,
  frozenBroker,
  clockJump,
  stopUnderLoad,
  stolenLock,
  takeover,
  cutLine,
  refusals,
  strangers,
  phantom,
]

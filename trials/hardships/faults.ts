import { clockJump } from './clock-jump.ts'
import { cutLine } from './cut-line.ts'
import { cuts } from './cuts.ts'
import { databaseGone } from './database-gone.ts'
import { frozenBroker } from './frozen-broker.ts'
import type { FaultInjection } from './fault-injection.ts'
import { fullDisk } from './full-disk.ts'
import { phantom } from './phantom.ts'
import { refusals } from './refusals.ts'
import { stolenLock } from './stolen-lock.ts'
import { stopUnderLoad } from './stop-under-load.ts'
import { strangers } from './strangers.ts'
import { takeover } from './takeover.ts'
import { unwritable } from './unwritable.ts'

/** In the order in which `npm run prove -- hardship` runs them. */
export const FAULT_INJECTIONS: readonly FaultInjection[] = [
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

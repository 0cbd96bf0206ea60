import type { Db } from '@digger/database'
import type { MasterKey } from './master.ts'
import type { MasterState } from './prepared.ts'
import * as rows from './rows.ts'
import { openByMaster, wrapByMaster } from './wraps.ts'

/** How a master key stands to the stored keys. */
export async function readMasterState(db: Db, { mark }: MasterKey): Promise<MasterState> {
  return { replaced: await rows.isRetired(db, mark), wrappedByOther: await rows.heldByOtherMaster(db, mark) }
}

export interface MasterRotation {
  readonly from: MasterKey
  readonly to: MasterKey
  readonly at: number
}

/**
 * Wraps every key that one master key opens with another one, and retires the first, also for servers that run on with it.
 * Needs a transaction. Returns how many.
 */
export async function rotateMaster(db: Db, { from, to, at }: MasterRotation): Promise<number> {
  await rows.retireMaster(db, from.mark, to.mark, at)
  const wrapped = await rows.wrappedByMaster(db, from.mark)
  for (const row of wrapped) {
    const key = await openByMaster(from, row)
    if (key) await rows.updateVault(db, row.user_id, await wrapByMaster(to, row.user_id, key))
  }
  return wrapped.length
}

export { bookBefore, decisionOf, incidentOf } from './black-box.ts'
export { Committer, FencedError, isNotWritten, isRefusal, NoLeaseError } from './committer.ts'
export { factsAfter, newestRow } from './journal.ts'
export { type Loaded } from './books.ts'
export { AccountReader, loadOrCreate, recordFact, type Reloaded, type Tables } from './load.ts'
export { type Changes, changesOf, type Position } from './rows-of.ts'
export {
  haltServer,
  readServerStop,
  type StopRow,
  type StoredStop,
  storedStop,
  writeServerStop,
} from './server-stop.ts'
export { writeChanges } from './store.ts'
export { verifyAccount } from './verify.ts'

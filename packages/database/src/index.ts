export type {
  AccountRow,
  CommandKeyRow,
  DecisionRow,
  JournalRow,
  OrderLotRow,
  OrderRow,
  StockRow,
} from './account-rows.ts'
export type { CandlePartRow, CandleSeriesRow, CandleSource, CandleUnit } from './candle-rows.ts'
export type { Factor, PasskeyRow, RecoveryCodeRow, SessionRow } from './factor-rows.ts'
export type {
  ChannelKind,
  NotificationChannelRow,
  NotificationFill,
  NotificationLevel,
  NotificationRow,
} from './notification-rows.ts'
export type { ApiTokenRow } from './secret-rows.ts'
export { type CorrectedDay, deleteCalendarDay, readCalendarDays, writeCalendarDay } from './calendar-days.ts'
export { bootNow } from './boot-clock.ts'
export { dumpTables, dumpTo, sumTables, type TableSum } from './copy/dump.ts'
export { type LoadSteps, loadFrom } from './copy/load.ts'
export { assertRestored, readRestored, type Restored, writeRestored } from './restored.ts'
export { copyRunning } from './embedded/copy-running.ts'
export { lockFolder } from './embedded/lock.ts'
export { keepPrivate } from './embedded/private.ts'
export { ENGINE_LOCK, sessionClient } from './engine-lock.ts'
export { DatabaseError, FolderInUseError, OperatorError } from './errors.ts'
export { inheritedFrom, type Process, thisProcess } from './holder.ts'
export type {
  WorkerRow,
  AdminKeyRow,
  AuditRow,
  JobItemState,
  MoneyDayRow,
  OrderedRow,
  ShardMoveRow,
  TradeRow,
  UserRow,
  VaultRow,
} from './tables.ts'
export { type Clock, evenClock, every, realClock, wait } from './clock.ts'
export { databaseHost } from './database-host.ts'
export { background } from './background.ts'
export { DatabaseClock, databaseTime } from './database-clock.ts'
export { knownMigrations, ownVersion } from './migrate.ts'
export { FACTS_VERSION } from './facts.ts'
export { isNotConnected } from './not-connected.ts'
export { readSecretFile } from './secret-file.ts'
export { KERNEL_LEASE, type Lease, NO_LEASE, RenewedLease } from './lease.ts'
export { claimShards, type Owned, OwnedShards, shardOf, SHARDS } from './shards.ts'
export { type Database, type DatabasePlace, type Db, openBeside, openDatabase, openPool } from './open.ts'

export * from './calls.ts'
export * from './entities.ts'
export * from './sales.ts'
export * from './stops.ts'
export { AccountSummary } from './account-summary.ts'
export { Balance } from './balance.ts'
export { MAX_DONE, MAX_WAITING, Today } from './today.ts'
export { asSentence, fieldMessage } from './messages.ts'
export * from './problem.ts'
export * from './limits.ts'
export { Morning, MorningState, MorningSummary } from './morning.ts'
export * from './shadow.ts'
export * from './calendar.ts'
export * from './jobs.ts'
export * from './workers.ts'
export * from './history.ts'
export * from './notifications.ts'
export * from './tokens.ts'
export type { LiveEvent } from './live-event.ts'
export { IssueStatus } from './issue-status.ts'
export { Reason, ReasonCode } from './reasons.ts'
export {
  ADMIN_SEGMENT,
  FILE_CALLS,
  type FileCall,
  HINT_COOKIES,
  isFile,
  isKeyed,
  isServerStop,
  KEY_HEADER,
  KEYED,
  LOST_HEADER,
} from './paths.ts'
export { ConnectionCheck, FindingLevel } from './connection-check.ts'
export { BrokerProfit, ExportTable } from './exports.ts'
export { FactorNeeded, LostAnswer, OutcomeUnknown, Refused } from './refused.ts'
export * from './second-factor.ts'

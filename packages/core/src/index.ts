export type * from './account/types.ts'
export type * from './vocabulary.ts'
export * from './krx/cost.ts'
export * from './krx/kst.ts'
export * from './krx/limit.ts'
export * from './krx/route.ts'
export * from './krx/session.ts'
export * from './krx/tick.ts'
export * from './ladder/buy.ts'
export { REASON_CODES, type ReasonCode } from './ladder/reason-codes.ts'
export { settingsProblems, type SettingsProblem } from './ladder/problems.ts'
export * from './ladder/sell.ts'
export { grouped, won } from './ladder/text.ts'
export * from './ladder/worst.ts'
export type * from './account/facts.ts'
export { cashFlow, sameShares } from './account/cash.ts'
export { emptyBook, evolve, gainOf } from './account/evolve.ts'
export { effectiveStop, GATE } from './account/gate.ts'
export {
  ceilingOf,
  inForce,
  isLooser,
  limitProblems,
  limitsInForce,
  type LimitProblem,
} from './account/limits/change.ts'
export { ACCOUNT_LIMITS } from './account/limits/defaults.ts'
export * from './account/limits/types.ts'
export { boughtToday, limitUse } from './account/limits/use.ts'
export { isLive, mayMove } from './account/life.ts'
export { outlook, type StockOutlook } from './account/outlook.ts'
export { newAccount, step } from './account/step.ts'
export type * from './account/step-types.ts'
export { ASK_AHEAD_PERCENT } from './account/buying.ts'

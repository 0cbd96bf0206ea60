export type { Issue, IssueKind, Market, Side, Venue } from './krx/types.ts'
export type { BuyPlan, Lot, PriceBand, Reason, SellPlan, Settings } from './ladder/types.ts'

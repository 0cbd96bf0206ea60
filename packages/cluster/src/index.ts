export { Member, type MemberParts } from './member.ts'
export type { PlacementEvent, ShardHolder } from './placement.ts'

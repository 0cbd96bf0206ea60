export { DEFAULT_RULE, type FillRule } from './fills.ts'
export { loadShadow, shadowFacts } from './journal.ts'
export { Shadows, type ShadowsParts } from './shadows.ts'
export type { ShadowState } from './state.ts'

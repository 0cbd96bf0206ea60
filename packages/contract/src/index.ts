export * from './calls.ts'
export * from './entities.ts'
export { ADMIN_SEGMENT, HINT_COOKIES } from './paths.ts'
export { Refused } from './refused.ts'

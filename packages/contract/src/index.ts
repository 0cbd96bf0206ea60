export * from './calls.ts'
export * from './entities.ts'
export { ADMIN_SEGMENT } from './paths.ts'

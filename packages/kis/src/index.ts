export type * from './api.ts'
export * from './wire/channels.ts'
export * from './wire/codes.ts'
export * from './wire/endpoints.ts'

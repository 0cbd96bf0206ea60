export { NO_ACCOUNT_LIMITS } from './limits.ts'
export { SETTINGS } from './settings.ts'

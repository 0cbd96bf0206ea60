export { CODE, Exchange } from './exchange.ts'
export { execution, fakeKis } from '@digger/prices/testing'
export { FakeAccounts } from './fake-accounts.ts'
export { NO_ACCOUNT_LIMITS, SETTINGS } from '@digger/storage/testing'

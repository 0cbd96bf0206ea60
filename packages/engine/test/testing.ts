export { CODE, Exchange } from './exchange.ts'
export { execution, fakeKis } from './fake-kis.ts'
export { FakeAccounts } from './fake-accounts.ts'
export { SETTINGS } from './settings.ts'

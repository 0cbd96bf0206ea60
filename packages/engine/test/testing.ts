export { CODE, Exchange } from './exchange.ts'
export { execution, fakeKis } from './fakeKis.ts'
export { FakeAccounts } from './fakeAccounts.ts'
export { SETTINGS } from './settings.ts'

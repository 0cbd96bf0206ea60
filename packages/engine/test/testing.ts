export { CODE, Exchange } from './exchange.ts'
export { FakeAccounts } from './fakeAccounts.ts'
export { execution, fakeKis } from './fakeKis.ts'
export { SETTINGS } from './settings.ts'

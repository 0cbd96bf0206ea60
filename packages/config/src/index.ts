export { hostOf, isAddress, isLoopback } from './addresses.ts'
export { type Config, configOrExit, isFactorRequired, readConfig } from './config.ts'
export { warningsOf } from './exposure.ts'
export { relyingPartyOf } from './relying-party.ts'

export { changeCredentials, maskedCredentials } from './credentials.ts'
export { KeyRing } from './key-ring.ts'
export { KeyUpkeep } from './key-upkeep.ts'

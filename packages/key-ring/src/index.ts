export { KeyRing } from './key-ring.ts'
export { KeyUpkeep } from './key-upkeep.ts'

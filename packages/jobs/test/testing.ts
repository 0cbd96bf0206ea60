export { itemsOf, jobOf } from '../src/read.ts'
export { addUsers, makeJob } from './fixture.ts'

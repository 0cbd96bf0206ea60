export { type Clock, every, realClock } from './clock.ts'
export { type Database, type DatabasePlace, type Db, openDatabase } from './db/open.ts'

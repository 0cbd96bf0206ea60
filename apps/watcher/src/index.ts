export { GRACES, type Graces } from './disagreement.ts'
export { Watcher, type WatcherParts } from './watcher.ts'

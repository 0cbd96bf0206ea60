export { Browser } from './browser.ts'
export { operate } from './operator.ts'
export { credentialsOf, World } from './world.ts'

import { createRequire } from 'node:module'
import { TIMERS } from '../timers.ts'
import { replace } from './replace.ts'

/** undici keeps one clock for all clients of a Node process: here these belong to several processes of the simulation. */
const require = createRequire(import.meta.url)
const timers: object = require(require.resolve('undici').replace(/index\.js$/, 'lib/util/timers.js'))
replace(timers, {
  setTimeout: TIMERS.setTimeout,
  clearTimeout: TIMERS.clearTimeout,
  setFastTimeout: TIMERS.setTimeout,
  clearFastTimeout: TIMERS.clearTimeout,
})

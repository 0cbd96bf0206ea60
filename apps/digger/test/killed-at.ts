/**
 * Loaded before an operator's command (`--import`): ends its process as kill -9 does, at the moment that the environment names: a
 * statement that is on its way to the database, or a folder before or after it is renamed.
 */
import { lookAtRenames, lookAtStatements } from './at-moments.ts'

const moment = new RegExp(process.env['KILLED_AT'] ?? '^never$', 'i')
const die = (): void => void process.kill(process.pid, 'SIGKILL')

lookAtStatements((text) => (moment.test(`sent ${text}`) ? die : undefined))
lookAtRenames((text) => {
  if (moment.test(text)) die()
})

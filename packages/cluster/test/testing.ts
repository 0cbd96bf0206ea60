export { shardsOf } from './share.ts'
export { TimedDatabase } from './timed-database.ts'
export { findNats } from './find-nats.mjs'
export { type NatsServer, startNats } from './nats-server.ts'

export { findNats } from './find-nats.mjs'
export { type NatsServer, startNats } from './nats-server.ts'

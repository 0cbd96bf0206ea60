import { createServer } from 'node:http'
import { rmSync } from 'node:fs'

/**
 * The product that browser tests use: as people start it, but its demonstration begins with so many days, its passwords cost
 * little, its clock can be set ahead by `POST /<ms>`, and it ends, with its data, when the process that wants it is gone.
 * Arguments: days, that process, the port for its clock.
 */
const [days = 0, owner = 0, port = 0] = process.argv.slice(2).map(Number)

// Before anything is loaded that keeps the function.
let ahead = 0
const now = Date.now
Date.now = () => now() + ahead
createServer((request, reply) => {
  ahead += Number(request.url?.slice(1))
  reply.end()
}).listen(port, '127.0.0.1')

const { configOrExit } = await import('@digger/config')
const { Passwords } = await import('@digger/identity')
const { createLogger } = await import('@digger/server')
const { startAll } = await import('../apps/digger/src/role-all.ts')

const config = configOrExit(process.env)
process.on('exit', () => rmSync(config.DATA_DIR, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
setInterval(() => {
  try {
    process.kill(owner, 0)
  } catch {
    process.exit(0)
  }
}, 500)

const { address } = await startAll({
  config,
  log: createLogger(config.LOG_LEVEL),
  print: console.log,
  ends: [],
  days,
  passwords: new Passwords({ memoryCost: 256, timeCost: 1 }),
})
console.log(`${address} 에서 열립니다.`)

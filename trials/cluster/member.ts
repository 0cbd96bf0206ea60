/** A worker or a gateway as a process of its own: `node member.ts worker|gateway <socket> <ms>`, with the server's environment and NATS_URL. */
import { ClusterSecret, natsPlaceOf, readWorkerSecrets } from '@digger/cluster'
import { NatsBus } from '@digger/cluster/nats'
import { readConfig } from '@digger/config'
import { createGateway, createLogger, createWorker, NO_LIMITS } from '@digger/server'
import { openDoor } from './doors.ts'
import { MemberOrder, type MemberReport } from './member-message.ts'

const [role = '', door = '', clockOff = '0'] = process.argv.slice(2)
const REPORT_INTERVAL_MS = 100

/**
 * How far the clock of its host is ahead: no test may touch the machine's own clock. What runs evenly (`performance`, timers) goes on, as
 * on a machine.
 */
let clockOffMs = Number(clockOff)
const trueNow = Date.now.bind(Date)
Date.now = () => trueNow() + clockOffMs
process.on('message', (message) => (clockOffMs = MemberOrder.parse(message).byMs))

const config = readConfig(process.env)
const parts = {
  config,
  log: createLogger(config.LOG_LEVEL),
  broker: { env: 'real', restUrl: config.KIS_REST_URL ?? '', wsUrl: config.KIS_WS_URL ?? '' },
  hours: 'always',
  requestLimits: NO_LIMITS,
} as const
const { CLUSTER_SECRET_FILE = '', WORKER_SECRET_FILE = '' } = config
const bus = new NatsBus(natsPlaceOf(config.NATS_URL ?? ''), role)

// Whoever started it is gone.
process.on('disconnect', () => process.exit(1))
if (role === 'gateway') {
  const gateway = await createGateway(parts, bus, ClusterSecret.read(CLUSTER_SECRET_FILE))
  const address = await gateway.listen()
  await openDoor(door, Number(new URL(address).port))
  endWith(() => gateway.close())
  report(() => ({ armed: 0, users: [], worker: null }))
} else {
  const worker = await createWorker(parts, bus, readWorkerSecrets(CLUSTER_SECRET_FILE, WORKER_SECRET_FILE))
  endWith(() => worker.close())
  report(() => {
    const { member, engine } = worker
    const { armed } = engine.health.armed
    return member.lease.held()
      ? { armed, users: engine.health.armedUsers(), worker: member.id }
      : { armed: 0, users: [], worker: member.id }
  })
}

interface State extends Pick<MemberReport, 'armed' | 'worker'> {
  readonly users: readonly string[]
}

function report(read: () => State): void {
  let before: ReadonlySet<string> = new Set()
  setInterval(() => {
    const { users, ...state } = read()
    const now = new Set(users)
    const came = users.filter((user) => !before.has(user))
    const went = [...before].filter((user) => !now.has(user))
    before = now
    const message: MemberReport = { kind: 'report', ...state, came, went, at: trueNow() }
    if (process.connected) process.send?.(message)
  }, REPORT_INTERVAL_MS)
}

function endWith(close: () => Promise<void>): void {
  process.once('SIGTERM', () => {
    void close()
      .then(() => bus.close())
      .finally(() => process.exit(0))
  })
}

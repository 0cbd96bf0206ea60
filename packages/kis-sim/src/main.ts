import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { demoAccounts, demoCredentials } from './broker/credentials.ts'
import type { SimAccount } from './ledger/facts.ts'
import type { SimOptions } from './broker/options.ts'
import type { Sim } from './control/sim-control.ts'
import { DEFAULT_ASSUMPTIONS } from './broker/assumptions.ts'
import { DEFAULT_PORT, startSim } from './sim.ts'

/** At this speed a day of trading passes in a few seconds. */
const MAX_SPEED = 10_000
const REAL_ACCOUNTS = 10
/** Two of paper's, for clients that want both worlds. */
const PAPER_ACCOUNTS = 2

const number = (from: number, to: number, fallback: number) =>
  z.coerce.number(`a number from ${from} to ${to}`).min(from).max(to).default(fallback)

const Environment = z.object({
  SIM_PORT: number(0, 65_535, DEFAULT_PORT).pipe(z.int()),
  SIM_SEED: number(0, Number.MAX_SAFE_INTEGER, 1).pipe(z.int()),
  SIM_SPEED: number(0.01, MAX_SPEED, 1),
  SIM_HOURS: z.enum(['always', 'krx']).default('always'),
  SIM_WIRE: z.enum(['current', 'legacy']).default('current'),
  SIM_LIMITS: z.enum(['enforced', 'off']).default('enforced'),
  SIM_CALLS_PER_SECOND: number(1, 1_000, DEFAULT_ASSUMPTIONS.callsPerSecond.real).pipe(z.int()),
  SIM_LEDGER_CALLS_PER_SECOND: number(0, 1_000, DEFAULT_ASSUMPTIONS.ledgerCallsPerSecond).pipe(z.int()),
  SIM_NOTICE_FIELDS: z.enum(['23', '26']).default('26'),
  SIM_REPLAY: z.string().refine(existsSync, 'no such file').optional(),
  SIM_STATE_DIR: z.string().optional(),
})

function optionsFrom(env: NodeJS.ProcessEnv): SimOptions {
  // An empty variable is an absent one.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('SIM_') && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${String(issue.path[0])}=${given[String(issue.path[0])]}: ${issue.message}`,
    )
    throw new Error(problems.join('\n'))
  }
  const { SIM_REPLAY, SIM_STATE_DIR, SIM_NOTICE_FIELDS, ...rest } = parsed.data
  return {
    port: rest.SIM_PORT,
    seed: rest.SIM_SEED,
    clock: { mode: 'real', speed: rest.SIM_SPEED },
    hours: rest.SIM_HOURS,
    wire: rest.SIM_WIRE,
    limits: rest.SIM_LIMITS,
    assumptions: {
      callsPerSecond: { ...DEFAULT_ASSUMPTIONS.callsPerSecond, real: rest.SIM_CALLS_PER_SECOND },
      ledgerCallsPerSecond: rest.SIM_LEDGER_CALLS_PER_SECOND,
    },
    noticeFields: SIM_NOTICE_FIELDS === '23' ? 23 : 26,
    accounts: [...demoAccounts(REAL_ACCOUNTS), ...paperAccounts()],
    ...(SIM_REPLAY !== undefined && { replay: { file: SIM_REPLAY } }),
    ...(SIM_STATE_DIR !== undefined && { stateDir: SIM_STATE_DIR }),
  }
}

const paperAccounts = (): SimAccount[] =>
  Array.from({ length: PAPER_ACCOUNTS }, (_, n) => ({ credentials: demoCredentials(REAL_ACCOUNTS + n), env: 'paper' }))

function introduction(sim: Sim): string {
  const accounts = sim.accounts.map(({ credentials, env = 'real' }) => {
    const { accountNumber, htsId, appKey, appSecret } = credentials
    const account = `${accountNumber.slice(0, 8)}-${accountNumber.slice(8)}`
    return `  ${account}  ${env.padEnd(5)}  HTS ID ${htsId}\n    app key    ${appKey}\n    app secret ${appSecret}`
  })
  return [
    `A pretend KIS is listening. No real money, no real market.`,
    '',
    `  REST, real and paper    ${sim.url}`,
    `  WebSocket               ${sim.wsUrl}   (paths /, /tryitout and /tryitout/*)`,
    `  Control                 ${sim.url}/sim`,
    '',
    'Accounts (the same at every start):',
    ...accounts,
    '',
    'To point a client here:',
    '  this project    KIS_ENV=sim KIS_REST_URL and KIS_WS_URL as above',
    `  KIS's samples   in kis_devlp.yaml: prod and vps "${sim.url}", ops and vops "${sim.wsUrl}"; they read frames`,
    '                  of before 2026-09-14, so start with SIM_WIRE=legacy',
    '',
    `  curl -s ${sim.url}/sim/prices`,
    `  curl -s ${sim.url}/sim/price -d '{"code":"005930","price":${sim.price('005930')}}'`,
    '',
  ].join('\n')
}

function cause(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'the port is in use: another pretend KIS may be running. Stop it, or choose a port with SIM_PORT'
  }
  return error instanceof Error ? error.message : String(error)
}

try {
  // `--archive FOLDER`: answer from what the doctor filed of a real broker.
  const { values } = parseArgs({ options: { archive: { type: 'string' } } })
  const sim = await startSim({ ...optionsFrom(process.env), ...values })
  process.stdout.write(introduction(sim))
  const stop = (): void => {
    sim.close().catch(() => undefined)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} catch (error) {
  process.stderr.write(`The pretend KIS cannot start: ${cause(error)}\n`)
  process.exitCode = 1
}

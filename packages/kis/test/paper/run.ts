import { setTimeout as pause } from 'node:timers/promises'
import { createKis, KIS_HOSTS, type KisCredentials, type KisOptions, type StoredToken } from '../../src/index.ts'
import { ACCOUNT_CHECKS } from './account-checks.ts'
import { LeftOut, type Paper, type PaperCheck, type PaperTimes } from './check.ts'
import { MARKET_CHECKS } from './market-checks.ts'
import { ORDER_CHECKS } from './order-checks.ts'
import { SOCKET_CHECKS } from './socket-checks.ts'

export const READINGS: readonly PaperCheck[] = [...MARKET_CHECKS, ...ACCOUNT_CHECKS, ...SOCKET_CHECKS]
/** Traded on every day that the exchange is open. */
const CODE = '005930'
const TIMES: PaperTimes = { listenMs: 15_000, connectMs: 20_000, pollMs: 1_500, listedWithinMs: 15_000 }

type Environment = Readonly<Record<string, string | undefined>>

export interface PaperRun {
  readonly env: Environment
  readonly write: (line: string) => void
  /** For a pretend broker; default: the pace that paper wants, and the time of this machine. */
  readonly client?: Pick<KisOptions, 'limits' | 'now'>
  readonly times?: Partial<PaperTimes>
}

export type Outcome = 'passed' | 'failed' | 'left out'

/** What there is to do, or the plain line why not. */
export function credentialsOf(env: Environment): KisCredentials | string {
  if (env['KIS_PAPER'] !== '1')
    return 'Nothing done: this asks the real paper account. Set KIS_PAPER=1, and KIS_APP_KEY, KIS_APP_SECRET, KIS_ACCOUNT, KIS_HTS_ID of a paper account.'
  const { KIS_APP_KEY: appKey, KIS_APP_SECRET: appSecret, KIS_ACCOUNT: accountNumber, KIS_HTS_ID: htsId = '' } = env
  if (!appKey || !appSecret || !accountNumber) {
    const missing = ['KIS_APP_KEY', 'KIS_APP_SECRET', 'KIS_ACCOUNT'].filter((name) => !env[name])
    return `Nothing done: ${missing.join(', ')} of a paper account ${missing.length === 1 ? 'is' : 'are'} not set.`
  }
  return { appKey, appSecret, accountNumber, htsId }
}

/** One check after the other: each on its own, whatever became of those before. Null: nothing was done. */
export async function runPaper(
  given: PaperRun,
  readings: readonly PaperCheck[] = READINGS,
): Promise<ReadonlyMap<string, Outcome> | null> {
  const { env, write } = given
  const credentials = credentialsOf(env)
  if (typeof credentials === 'string') {
    write(credentials)
    return null
  }
  const withOrders = env['KIS_PAPER_ORDERS'] === '1'
  write('A token is asked for, of which the broker sends the owner of the account a message.')
  const { paper, close } = open(given, credentials)
  const outcomes = new Map<string, Outcome>()
  try {
    for (const check of withOrders ? [...readings, ...ORDER_CHECKS] : readings) {
      const { outcome, text } = await outcomeOf(check, paper)
      outcomes.set(check.name, outcome)
      write(masked(`${outcome.padEnd(8)}  ${check.name}: ${text}`, credentials, paper.tokens))
    }
  } finally {
    await close()
  }
  if (!withOrders)
    write('No order was sent. KIS_PAPER_ORDERS=1 also sends one share far below the market, and cancels it.')
  const failed = [...outcomes.values()].filter((one) => one === 'failed').length
  write(`${outcomes.size} checks, ${failed} failed`)
  return outcomes
}

async function outcomeOf(check: PaperCheck, paper: Paper): Promise<{ outcome: Outcome; text: string }> {
  try {
    return { outcome: 'passed', text: await check.run(paper) }
  } catch (error) {
    const text =
      error instanceof Error ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}` : String(error)
    return error instanceof LeftOut ? { outcome: 'left out', text: error.message } : { outcome: 'failed', text }
  }
}

/** The broker may quote what it was sent. */
export function masked(line: string, credentials: KisCredentials, tokens: readonly StoredToken[]): string {
  const digits = credentials.accountNumber.replaceAll(/\D/g, '')
  const secrets = [...Object.values(credentials), digits, digits.slice(0, 8), ...tokens.map(({ token }) => token)]
  return secrets
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), line)
}

function open(
  { env, client, times }: PaperRun,
  credentials: KisCredentials,
): { paper: Paper; close: () => Promise<void> } {
  const tokens: StoredToken[] = []
  const ended = new AbortController()
  const { rest, socket } = createKis({
    env: 'paper',
    restUrl: env['KIS_REST_URL'] ?? KIS_HOSTS.paper.rest,
    wsUrl: env['KIS_WS_URL'] ?? KIS_HOSTS.paper.ws,
    credentials,
    // As long as this process: it is nobody else's.
    tokens: { load: async () => tokens.at(-1) ?? null, save: async (_id, token) => void tokens.push(token) },
    ...client,
  })
  const paper: Paper = {
    rest,
    socket,
    tokens,
    hasHtsId: credentials.htsId !== '',
    code: CODE,
    now: client?.now ?? Date.now,
    // Nothing waits on when the run is over.
    pause: (ms) => pause(ms, undefined, { signal: ended.signal }).catch(() => undefined),
    times: { ...TIMES, ...times },
  }
  const close = async (): Promise<void> => {
    ended.abort()
    await socket.close()
    await rest.close()
  }
  return { paper, close }
}

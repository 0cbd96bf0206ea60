import { demoCredentials, startSim, type Sim, type SimAccount, UNIVERSE } from '@digger/kis-sim'
import { UNLIMITED } from '../../src/index.ts'
import { kstInstant } from '../../src/kst.ts'
import { type Alteration, alteringProxy } from './altering.ts'
import { type Outcome, runPaper } from './run.ts'

export const ME = demoCredentials(0)
export const CODE = '005930'
export const KEYS = {
  KIS_APP_KEY: ME.appKey,
  KIS_APP_SECRET: ME.appSecret,
  KIS_ACCOUNT: ME.accountNumber,
  KIS_HTS_ID: ME.htsId,
}
/** More than the 20 that paper lists on a page. */
const HOLDINGS = UNIVERSE.slice(0, 25).map(({ code, base }) => ({ code, count: 3, averagePrice: base }))

/** A paper account on a Monday, with more holdings than fit on a page. */
export const paperBroker = (time: string, account: Partial<SimAccount> = {}): Promise<Sim> =>
  startSim({
    port: 0,
    hours: 'krx',
    clock: { mode: 'manual', start: kstInstant('20261116', time) },
    limits: 'off',
    accounts: [{ credentials: ME, env: 'paper', cash: 100_000_000, holdings: HOLDINGS, ...account }],
  })

/** At half past ten, some minutes after a trade. */
export async function tradingBroker(): Promise<Sim> {
  const sim = await paperBroker('102700')
  sim.setPrice(CODE, sim.price(CODE))
  await sim.clock.advance(180_000)
  return sim
}

export interface More {
  readonly alter?: Alteration
  readonly orders?: boolean
  /** The stock trades as soon as its trades are asked for, so that nobody has to listen long. */
  readonly trades?: boolean
  readonly env?: Readonly<Record<string, string | undefined>>
  /** When a check has its outcome. */
  readonly after?: (line: string) => void
}

/** All checks, with nothing to wait for. */
export async function run(sim: Sim, more: More = {}) {
  const { alter, orders = false, trades = false, env = {}, after = () => undefined } = more
  await using proxy = await alteringProxy(sim.url, alter)
  const market = trades ? setInterval(() => trade(sim), 5) : undefined
  const lines: string[] = []
  const outcomes = await runPaper({
    env: {
      ...KEYS,
      KIS_PAPER: '1',
      KIS_REST_URL: proxy.url,
      KIS_WS_URL: sim.wsUrl,
      ...(orders && { KIS_PAPER_ORDERS: '1' }),
      ...env,
    },
    write(line) {
      lines.push(line)
      after(line)
    },
    client: { limits: UNLIMITED, now: () => sim.clock.now() },
    times: { listenMs: 400, pollMs: 20, listedWithinMs: 200, connectMs: 5_000 },
  }).finally(() => clearInterval(market))
  return { outcomes: outcomes ?? new Map<string, Outcome>(), lines, writes: proxy.writes }
}

/** At the price it has, while somebody listens. */
function trade(sim: Sim): void {
  if (sim.registered(ME.appKey).includes(`H0STCNT0 ${CODE}`)) sim.setPrice(CODE, sim.price(CODE))
}

/** Checks with another outcome. */
export const not = (outcomes: ReadonlyMap<string, Outcome>, outcome: Outcome): string[] =>
  [...outcomes].filter(([, one]) => one !== outcome).map(([name, one]) => `${one}: ${name}`)

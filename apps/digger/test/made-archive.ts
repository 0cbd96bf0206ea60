import { isTradingDay, kstInstant, knownTimetable } from '@digger/core'
import { CHECKS, examine, Examiner, type Finding } from '@digger/doctor'
import { createKis, UNLIMITED } from '@digger/kis'
import { demoCredentials, type Sim, startSim, type SimOptions } from '@digger/kis-sim'
import { fileReplies } from '../src/doctor/archive-folder.ts'

const ME = demoCredentials(3)
export const CODE = '000660'
const ETF = '069500'

const BONUS = {
  kind: 'corporateAction',
  as: 'bonusIssue',
  code: '005380',
  exDay: '20261118',
  creditDay: '20261203',
  ratio: 1.2,
  paid: 0,
} as const

export interface Made {
  readonly day?: string
  readonly clock?: string
  readonly env?: 'real' | 'paper'
  readonly options?: SimOptions
}

type Found = readonly Pick<Finding, 'level' | 'text'>[]

/** Archives a pretended broker's replies to the doctor: other stocks, prices and orders than those a comparison makes for itself. */
export async function archiveOf(
  folder: string,
  { day = '20261116', clock = '103000', ...made }: Made = {},
): Promise<Found> {
  const sim = await brokerAt(kstInstant('20261113', '100000'), made)
  try {
    const account = ME.accountNumber
    const trade = (code: string, count: number): unknown =>
      sim.outsideTrade(account, { code, side: 'buy', count, price: sim.price(code) })
    trade(CODE, 7)
    trade(ETF, 123)
    await sim.clock.advance(3_600_000)
    sim.outsideTrade(account, { code: CODE, side: 'sell', count: 3, price: sim.price(CODE) + 12_000 })
    sim.setPrice(CODE, sim.price(CODE) - 9_000)
    const [morning, now] = [kstInstant(day, '092000'), kstInstant(day, clock)]
    if (now > morning && isTradingDay(day, knownTimetable('krx'))) {
      await sim.clock.advance(morning - sim.clock.now())
      sim.setPrice(CODE, sim.price(CODE) + 3_000)
      sim.byPhone(account, { kind: 'order', code: CODE, side: 'sell', count: 1, price: sim.price(CODE) + 20_000 })
    }
    await sim.clock.advance(Math.max(0, now - sim.clock.now()))
    return await examined(sim, made, folder)
  } finally {
    await sim.close()
  }
}

/** What the doctor finds where a pretended broker answers from an archive, with an account that has nothing. */
export async function foundInArchive(
  archive: string,
  { day = '20261116', clock = '103000', ...made }: Made = {},
): Promise<Found> {
  const sim = await brokerAt(kstInstant(day, clock), { ...made, options: { archive } })
  try {
    return await examined(sim, made)
  } finally {
    await sim.close()
  }
}

const brokerAt = (start: number, { env = 'real', options }: Made): Promise<Sim> =>
  startSim({
    port: 0,
    seed: 7,
    hours: 'krx',
    clock: { mode: 'manual', start },
    limits: 'off',
    happenings: [BONUS],
    accounts: [{ credentials: ME, cash: 30_000_000, env }],
    ...options,
  })

async function examined(sim: Sim, { env = 'real' }: Made, folder?: string): Promise<Found> {
  const now = (): number => sim.clock.now()
  const tokens = { load: async () => null, save: async () => undefined }
  const { rest, socket } = createKis({
    env,
    credentials: ME,
    tokens,
    now,
    limits: UNLIMITED,
    retries: { attempts: 2, pauseMs: 1 },
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
  })
  try {
    const examiner = new Examiner({ rest, now, wall: now, timetable: knownTimetable('krx'), code: CODE })
    // The market's time is not that of the Date header.
    const checks = CHECKS.filter(({ key }) => key !== 'clock')
    const report = await examine(examiner, undefined, checks)
    if (folder !== undefined) fileReplies(folder, { examiner, report }, { keys: { ...tokens, credentials: ME } })
    return report.checks.flatMap(({ findings }) => findings.map(({ level, text }) => ({ level, text })))
  } finally {
    await socket.close()
    await rest.close()
  }
}

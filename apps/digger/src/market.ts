import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoCredentials, readCandles, startSim, type Sim } from '@digger/kis-sim'
import { lockFolder, keepPrivate } from '@digger/database'
import type { Config } from '@digger/config'
import { StartError } from './start-error.ts'
import { simStateDir } from './first-run.ts'
import { PEOPLE, SPARE_CUSTOMER } from './people.ts'

/** A restart overlaps the end of the process before it, ms. */
const LOCK_WAIT_MS = 5_000

/** Locks the folder before anything is read or made: a second server must not even look at it. */
export async function lockMarket({ DATA_DIR }: Config, waitMs = LOCK_WAIT_MS): Promise<() => Promise<void>> {
  const unlock = await lockFolder(simStateDir(DATA_DIR), waitMs)
  try {
    keepPrivate(DATA_DIR)
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Refuses a recording that cannot be replayed before a minute is spent on a first run. */
export function assertReplay({ SIM_REPLAY }: Config): void {
  if (SIM_REPLAY === undefined) return
  try {
    readCandles(SIM_REPLAY, null)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`SIM_REPLAY=${SIM_REPLAY} 파일을 쓸 수 없습니다: ${why}`, { cause: error })
  }
}

/** The pretend exchange and broker a demonstration trades with, in this process. */
export function startMarket({ DATA_DIR, SIM_PORT, SIM_SEED, SIM_SPEED, SIM_HOURS, SIM_REPLAY }: Config): Promise<Sim> {
  return startSim({
    port: SIM_PORT,
    seed: SIM_SEED,
    hours: SIM_HOURS,
    clock: { mode: 'real', speed: SIM_SPEED },
    brokerTime: 'market',
    // Livelier than a real day, so that something happens while somebody watches.
    walk: { volatility: 0.2, ticksPerSecond: 2 },
    stateDir: simStateDir(DATA_DIR),
    ...(SIM_REPLAY === undefined ? {} : { replay: { file: SIM_REPLAY } }),
  })
}

/** The log-ins of the demonstration, and credentials for trying the sign-up page, as lines to print. */
export function loginLines(): string[] {
  const spare = demoCredentials(SPARE_CUSTOMER)
  return [
    '\n시험용 로그인:',
    ...PEOPLE.map(({ email, password, admin }) => `  ${email} / ${password}${admin ? '  (관리자)' : ''}`),
    '가입 화면을 시험할 증권사 정보:',
    `  appKey ${spare.appKey}\n  appSecret ${spare.appSecret}`,
    `  계좌번호 ${spare.accountNumber}\n  HTS ID ${spare.htsId}`,
  ]
}

/** Pretend money may trade by itself after a restart: its key lies beside the data, where a real one must never lie. */
export function withDemoKey(config: Config): Config {
  if (config.KIS_ENV !== 'sim' || config.MASTER_KEY_FILE !== undefined) return config
  const file = join(config.DATA_DIR, 'demo-master.key')
  if (!existsSync(file)) {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  }
  return { ...config, MASTER_KEY_FILE: file }
}

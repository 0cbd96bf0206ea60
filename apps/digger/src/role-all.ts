import { mkdirSync } from 'node:fs'
import { createLogger, createServer } from '@digger/server'
import { brokerPlace } from './broker-place.ts'
import { Backups } from './daily-backup.ts'
import { firstRun, wantsFirstRun } from './first-run.ts'
import { assertReplay, lockMarket, loginLines, startMarket, withDemoKey } from './market.ts'
import type { Start, Started } from './start.ts'
import { assertPorts, folderError } from './start-error.ts'

/** One process does everything, with the pretend exchange in it where no broker is given. */
export async function startAll({ config, log, print, ends, lockWaitMs, days, passwords }: Start): Promise<Started> {
  const ownMarket = config.KIS_ENV === 'sim' && config.KIS_REST_URL === undefined
  try {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
    if (ownMarket) ends.push(await lockMarket(config, lockWaitMs))
  } catch (error) {
    throw folderError(config.DATA_DIR, error)
  }
  await assertPorts(config, ownMarket)
  if (ownMarket) assertReplay(config)
  const whole = withDemoKey(config)
  let market = null
  if (ownMarket) {
    if (wantsFirstRun(whole)) {
      print('처음 실행이라 시험용 사용자와 지난 거래를 만듭니다. 30초에서 1분쯤 걸립니다.')
      await firstRun({ config: whole, log: createLogger('warn'), print, days, passwords })
    }
    loginLines().forEach(print)
    const sim = await startMarket(whole)
    ends.push(() => sim.close())
    market = sim
  }
  const backups = new Backups()
  const place = brokerPlace(whole, market)
  const server = await createServer({ config: whole, log, passwords, backup: backups.state, ...place })
  ends.push(() => server.close())
  backups.start({ config, database: server.database, log })
  ends.push(() => backups.stop())
  return { address: await server.listen(), databaseLost: server.database.failed }
}

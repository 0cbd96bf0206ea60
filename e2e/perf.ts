import { parseArgs } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { startFixture, type Fixture } from './fixture/server.ts'
import { hour } from './measure/hour.ts'
import { BALANCE, INTERVAL_MS, open, TRADE, trade } from './measure/open.ts'
import { expectLongTasksSeen, measure, report, work } from './measure/watch.ts'
import { launchOptions } from './playwright.config.ts'

/** The balance with 200 stocks of which 50 change ten times a second, on a CPU slowed to a quarter. */
const STOCKS = 200
const CHANGES = 50
const SLOWED = 4
const DURATION_MS = 10_000

/** Ten seconds as fast as prices come. */
async function short(browser: Browser, fixture: Fixture, path: string, wide: boolean): Promise<boolean> {
  const { page, session } = await open(browser, fixture, path, wide)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  console.log(`${STOCKS} stocks, ${CHANGES} price changes every ${INTERVAL_MS} ms, CPU slowed ${SLOWED} times`)
  report('nothing moves        ', await measure(page, DURATION_MS))
  await expectLongTasksSeen(page)
  const trading = trade(fixture.state, CHANGES)
  try {
    const still = await page.getByRole('main').innerText()
    const before = await work(session)
    const updates = await measure(page, DURATION_MS)
    const after = await work(session)
    if ((await page.getByRole('main').innerText()) === still) throw new Error('no price moved')
    const fine = report('prices               ', updates)
    for (const part of ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration'])
      console.log(`  ${part}: ${(((after[part] ?? 0) - (before[part] ?? 0)) * 100).toFixed(0)} ms a second`)
    report('prices and scrolling ', await measure(page, DURATION_MS, true))
    return fine
  } finally {
    clearInterval(trading)
  }
}

const { values } = parseArgs({
  options: {
    wide: { type: 'boolean', default: false },
    trade: { type: 'boolean', default: false },
    minutes: { type: 'string' },
  },
})
const path = values.trade ? TRADE : BALANCE
const moving = await startFixture({ stocks: STOCKS })
const idle = await startFixture({ stocks: STOCKS })
const browser = await chromium.launch(launchOptions)
try {
  const fine =
    values.minutes === undefined
      ? await short(browser, moving, path, values.wide)
      : await hour(browser, { moving, idle }, { path, wide: values.wide, minutes: Number(values.minutes) })
  if (!fine) process.exitCode = 1
} finally {
  await browser.close()
  await Promise.all([moving.close(), idle.close()])
}

import { demoCredentials, startSim, type Sim, type SimOptions } from '@digger/kis-sim'
import { afterEach, expect, test } from 'vitest'
import { readOrderList } from '../src/broker.ts'
import { clearOfMidnight } from './midnight.ts'

/** The answers of the broker that nobody knows for sure, as the pretend KIS gives them. */
const ROWS = 130
const CREDENTIALS = demoCredentials(0)
let sim: Sim
afterEach(() => sim.close())

async function open(assumptions: NonNullable<SimOptions['assumptions']>): Promise<void> {
  const accounts = [{ credentials: CREDENTIALS, cash: 100_000_000 }]
  // Its replies carry the machine's date.
  await clearOfMidnight(10_000)
  const clock = { mode: 'manual', start: Date.now() } as const
  sim = await startSim({
    port: 0,
    hours: 'always',
    clock,
    walk: 'off',
    limits: 'off',
    latency: 'none',
    accounts,
    assumptions,
  })
}

function trade(): void {
  for (let n = 0; n < ROWS; n += 1)
    sim.outsideTrade(CREDENTIALS.accountNumber, { code: '005930', side: 'buy', count: 1, price: sim.price('005930') })
}

async function read(spacingMs = 0) {
  const { appKey, appSecret, accountNumber } = CREDENTIALS
  const reply = await fetch(`${sim.url}/oauth2/tokenP`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', appkey: appKey, appsecret: appSecret }),
  })
  const { access_token: token }: { access_token: string } = JSON.parse(await reply.text())
  return readOrderList(
    { url: sim.url, env: 'real', spacingMs },
    { appKey, appSecret, accountNumber, token },
    sim.clock.now(),
  )
}

test('every order twice over the pages: each is read once', async () => {
  await open({ rowsTwice: true })
  trade()
  const { orders, odd } = await read()
  expect([new Set(orders.map(({ odno }) => odno)).size, orders.length, odd]).toEqual([ROWS, ROWS, []])
})

test('a list that changes while it is read is read again', async () => {
  await open({ changedListBreaks: true })
  trade()
  const reading = read(300)
  await new Promise((resolve) => setTimeout(resolve, 150))
  sim.outsideTrade(CREDENTIALS.accountNumber, { code: '005930', side: 'buy', count: 1, price: sim.price('005930') })
  expect((await reading).orders).toHaveLength(ROWS + 1)
})

test('a range that is refused is none of its business: it asks for the present day alone', async () => {
  await open({ dayRanges: 'refused' })
  trade()
  expect((await read()).orders).toHaveLength(ROWS)
})

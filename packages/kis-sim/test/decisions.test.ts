import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type Reply } from './client.ts'

/** How often an assumption decided what a customer saw: an answer to a question that never came up proves nothing. */
const CODE = '005930'
const ME = demoCredentials(0)

let sim: Sim
afterEach(() => sim.close())

const Decided = z.record(z.string(), z.object({ answer: z.unknown(), decided: z.int() }))

async function open(options: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim)
}
/** Names of the assumptions that decided anything since the start. */
async function decided(): Promise<string[]> {
  const all = Decided.parse(await (await fetch(`${sim.url}/sim/assumptions`)).json())
  return Object.entries(all).flatMap(([name, one]) => (one.decided > 0 ? [name] : []))
}
const list = (client: RawClient, from: string, to: string): Promise<Reply> =>
  client.executions({ INQR_STRT_DT: from, INQR_END_DT: to })

test('nothing has decided anything before anybody asked; each answer is named', async () => {
  await open({ assumptions: { rowsTwice: true } })
  expect(await decided()).toEqual([])
  const all = Decided.parse(await (await fetch(`${sim.url}/sim/assumptions`)).json())
  expect(all['rowsTwice']).toEqual({ answer: true, decided: 0 })
})

test('an empty list of one open day asks nothing, a list over days asks for that, its rows for how they are written', async () => {
  const client = await open()
  await list(client, '20261120', '20261120')
  expect(await decided()).toEqual([])
  await list(client, '20261119', '20261120')
  expect(await decided()).toEqual(['dayRanges'])
  await client.order({ count: 1, price: 69_000 })
  await list(client, '20261120', '20261120')
  expect((await decided()).toSorted()).toEqual(['dayRanges', 'noOriginal', 'queryNumbers', 'rowsTwice'])
})

test('a cancelled order asks where its cancel is shown; one over another venue, whether it is reached', async () => {
  const client = await open()
  const odno = (await client.order({ count: 1, price: 69_000, venue: 'SOR' })).output[0]?.['ODNO'] ?? ''
  await client.change(odno, { venue: 'KRX' })
  expect(await decided()).toEqual(['cancelOnOtherVenue'])
  await client.change(odno, { venue: 'SOR' })
  await list(client, '20261120', '20261120')
  expect(await decided()).toContain('cancelledShownOn')
})

test('a list that changes between two of its pages asks whether it breaks; one that does not, does not', async () => {
  const client = await open({ rowsPerPage: 1 })
  for (let n = 0; n < 3; n += 1) await client.order({ count: 1, price: 69_000 })
  const next = (page: Reply): Promise<Reply> =>
    client.executions(
      {
        INQR_STRT_DT: '20261120',
        INQR_END_DT: '20261120',
        CTX_AREA_FK100: String(page['ctx_area_fk100']),
        CTX_AREA_NK100: String(page['ctx_area_nk100']),
      },
      { tr_cont: 'N' },
    )
  const first = await list(client, '20261120', '20261120')
  const second = await next(first)
  expect([first.output1.length, second.output1.length]).toEqual([1, 1])
  expect(await decided()).not.toContain('changedListBreaks')
  sim.byPhone(ME.accountNumber, { kind: 'order', code: CODE, side: 'buy', count: 1, price: 69_000 })
  expect((await next(second)).msg_cd).toBe('SYDB0050')
  expect(await decided()).toContain('changedListBreaks')
})

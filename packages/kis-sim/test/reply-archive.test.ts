import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sim } from '../src/index.ts'
import { RawClient, stillSim } from './client.ts'

let archive: string
let sim: Sim
let client: RawClient

/** As the doctor files it; account and cursors are stand-ins. */
const filed = (trId: string, params: Record<string, string>, msg_cd: string, more: object = {}) => ({
  trId,
  params,
  cont: '',
  status: 200,
  headers: [['tr_cont', 'D']],
  body: { rt_cd: '0', msg_cd, msg1: '' },
  ...more,
})

const OLDER = { CANO: '12345678', ACNT_PRDT_CD: '01', INQR_STRT_DT: '20261101' }
const LATER = { ...OLDER, INQR_STRT_DT: '20261115' }
const REPLIES = [
  filed('TTTC0081R', OLDER, 'refused', { body: { rt_cd: '7', msg_cd: 'refused', msg1: '' } }),
  filed('TTTC0081R', OLDER, 'older 1', { headers: [['Tr_Cont', 'F']] }),
  filed('TTTC0081R', OLDER, 'older 2', { cont: 'N' }),
  filed('TTTC0081R', LATER, 'later'),
  filed('TTTC8434R', OLDER, '', { status: 502, body: '<html>점검</html>', headers: [] }),
]

beforeEach(async () => {
  archive = mkdtempSync(join(tmpdir(), 'archive-'))
  REPLIES.forEach((reply, at) => writeFileSync(join(archive, `00${at + 1}-x.json`), JSON.stringify(reply)))
  writeFileSync(join(archive, 'archive.json'), JSON.stringify({ env: 'real', replies: REPLIES.length }))
  sim = await stillSim({ archive })
  client = await RawClient.login(sim)
})
afterEach(async () => {
  await sim.close()
  rmSync(archive, { recursive: true })
})

async function executions(from: string, cont = ''): Promise<string> {
  const reply = await client.call('executions', { INQR_STRT_DT: from, CTX_AREA_NK100: '' }, { tr_cont: cont })
  return `${reply.msg_cd} ${reply.cont}`
}

test('the same query has its own replies, in their order and from the beginning again', async () => {
  expect(await executions('20261101')).toBe('refused D')
  expect(await executions('20261101')).toBe('older 1 F')
  expect(await executions('20261115')).toBe('later D')
  expect(await executions('20261101', 'N')).toBe('older 2 D')
  expect(await executions('20261101')).toBe('refused D')
})

test('another query has those to the first one that was answered', async () => {
  expect(await executions('20261120')).toBe('refused D')
  expect(await executions('20261120')).toBe('older 1 F')
})

test('what is in no archive the pretend KIS answers itself, a page after the last as well', async () => {
  expect((await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: '005930' })).msg_cd).toBe(
    'MCA00000',
  )
  expect(await executions('20261115')).toBe('later D')
  expect(await executions('20261115', 'N')).not.toContain('later')
})

test('it is served with its status, and a page of words as words', async () => {
  expect(await client.call('balance', { INQR_STRT_DT: '20261101' })).toMatchObject({ status: 502, rt_cd: '' })
})

test('orders are taken as ever', async () => {
  const { rt_cd } = await client.order({ count: 1, price: sim.price('005930') - 5_000 })
  expect(rt_cd).toBe('0')
  expect(sim.liveOrders(client.credentials.accountNumber)).toHaveLength(1)
})

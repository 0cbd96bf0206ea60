import { expect, test } from 'vitest'
import { NotOfferedError, ProtocolError, type KisActionKind, type KisAnnouncements } from '../src/index.ts'
import { asking, clientOf, ok, startBroker } from './broker.ts'

/** Rows as public projects show them of real replies, and as the broker's documents have them. */
const LS_ELECTRIC = {
  record_date: '20260409',
  sht_cd: '010120',
  isin_name: '엘에스일렉트릭',
  inter_bf_face_amt: '000005000',
  inter_af_face_amt: '000001000',
  td_stop_dt: '2026/04/08 ~ 2026/04/12',
  list_dt: '2026/04/13',
}
const CLOBOT = {
  record_date: '20240326',
  sht_cd: '466100',
  isin_name: '클로봇',
  fix_rate: '1000.0',
  odd_rec_price: '000000000',
  right_dt: '20240325',
  odd_pay_dt: '',
  list_date: '',
  tot_issue_stk_qty: '     1885394',
  issue_stk_qty: '    18853940',
  stk_kind: '01',
}
const METAROCK = {
  record_date: '20240222',
  sht_cd: '426530',
  isin_name: '메타록',
  fix_rate: ' 20.00',
  disc_rate: ' 0.00',
  fix_price: '     500',
  right_dt: '20240221',
  sub_term_ft: '20240325',
  sub_term: '2024/03/25 ~ 2024/03/26',
  list_date: '2024/06/12',
  stk_kind: '01',
}
const HYUNDAI = {
  record_date: '20240326',
  sht_cd: '000720',
  isin_name: '현대건설',
  divi_kind: '결산',
  face_val: '000005000',
  per_sto_divi_amt: '000000000600',
  divi_rate: ' 12.00',
  stk_divi_rate: '  0.00',
  divi_pay_dt: '',
  stk_div_pay_dt: '',
  odd_pay_dt: '',
  stk_kind: '보통',
  high_divi_gb: '',
}

const read = async (kind: KisActionKind, output1: readonly unknown[]): Promise<KisAnnouncements | null> =>
  (
    await asking(
      () => ({ cont: 'E', body: ok({ output1 }) }),
      (rest) => rest.announcements(kind, '20240101', '20261231'),
    )
  ).value

const known = { ratio: 5, paid: 0, exDay: '20260413', creditDay: '20260413' }
const split = { kind: 'faceValue', code: '010120', recordDay: '20260409', ...known }

test.each<[string, KisActionKind, object, object]>([
  ['a share of 5,000 won becomes five of 1,000', 'faceValue', LS_ELECTRIC, split],
  [
    'five of a thousand become one',
    'faceValue',
    { ...LS_ELECTRIC, inter_bf_face_amt: '1,000'.replace(',', ''), inter_af_face_amt: '000005000' },
    { ...split, ratio: 0.2 },
  ],
  [
    'whose day is not settled',
    'faceValue',
    { ...LS_ELECTRIC, list_dt: '' },
    { ...split, exDay: null, creditDay: null },
  ],
  ['or is all zeros', 'faceValue', { ...LS_ELECTRIC, list_dt: '00000000' }, { ...split, exDay: null, creditDay: null }],
  [
    'ten new shares for one',
    'bonusIssue',
    CLOBOT,
    {
      kind: 'bonusIssue',
      code: '466100',
      recordDay: '20240326',
      exDay: '20240325',
      ratio: 11,
      paid: 0,
      creditDay: null,
    },
  ],
  [
    'one for five, for money',
    'rightsIssue',
    METAROCK,
    { kind: 'rightsIssue', code: '426530', exDay: '20240221', ratio: 1.2, paid: 500, creditDay: '20240612' },
  ],
  [
    'a dividend of one share for twenty',
    'stockDividend',
    { ...HYUNDAI, stk_divi_rate: '  5.00', stk_div_pay_dt: '2024/04/24' },
    { kind: 'stockDividend', code: '000720', exDay: null, ratio: 1.05, paid: 0, creditDay: '20240424' },
  ],
])('%s', async (_name, kind, row, expected) => {
  const answer = await read(kind, [row])
  expect(answer).toMatchObject({ isCut: false, unreadable: [] })
  expect(answer?.rows).toEqual([expect.objectContaining(expected)])
})

test('what changes no share is left out: a dividend in money', async () => {
  expect(await read('stockDividend', [HYUNDAI])).toEqual({ rows: [], isCut: false, unreadable: [] })
})

test('one row that cannot be read hides no other', async () => {
  const answer = await read('faceValue', [
    { ...LS_ELECTRIC, inter_bf_face_amt: '오천' },
    { ...LS_ELECTRIC, inter_af_face_amt: '000000000' },
    { ...LS_ELECTRIC, record_date: '' },
    LS_ELECTRIC,
  ])
  expect(answer?.rows).toMatchObject([split])
  expect(answer?.unreadable).toEqual([
    expect.stringContaining('inter_bf_face_amt'),
    'face values 5000 and 0',
    expect.stringContaining('record_date'),
  ])
})

test('a list of a hundred rows may be cut', async () => {
  const answer = await read(
    'faceValue',
    Array.from({ length: 100 }, () => LS_ELECTRIC),
  )
  expect([answer?.isCut, answer?.rows.length]).toEqual([true, 100])
})

test('no list is not an empty one', async () => {
  const { error } = await asking(
    () => ({ body: ok({ output: [] }) }),
    (rest) => rest.announcements('bonusIssue', '20240101', '20241231'),
  )
  expect(error).toBeInstanceOf(ProtocolError)
})

test.each<[KisActionKind, string, object]>([
  ['bonusIssue', 'bonus-issue', { tr_id: 'HHKDB669101C0' }],
  ['rightsIssue', 'paidin-capin', { tr_id: 'HHKDB669100C0', GB1: '2' }],
  ['stockDividend', 'dividend', { tr_id: 'HHKDB669102C0', GB1: '0', HIGH_GB: '' }],
  ['faceValue', 'rev-split', { tr_id: 'HHKDB669105C0', MARKET_GB: '0' }],
])('%s is asked for as the broker’s samples do', async (kind, path, expected) => {
  const { seen } = await asking(
    () => ({ body: ok({ output1: [] }) }),
    (rest) => rest.announcements(kind, '20261101', '20261231', '005930'),
  )
  const [asked] = seen
  expect(asked?.path).toBe(`/uapi/domestic-stock/v1/ksdinfo/${path}`)
  expect({ ...asked?.query, tr_id: asked?.headers['tr_id'] }).toMatchObject({
    CTS: '',
    F_DT: '20261101',
    T_DT: '20261231',
    SHT_CD: '005930',
    ...expected,
  })
})

test('paper has none of them, and nothing is sent', async () => {
  await using broker = await startBroker(() => undefined)
  const { rest } = clientOf(broker.url, { env: 'paper' })
  await expect(rest.announcements('bonusIssue', '20261101', '20261231')).rejects.toThrow(NotOfferedError)
  expect(broker.seen).toEqual([])
  await rest.close()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customer, startMarket } from './market.ts'
import { filled, readCollection, type PostmanCollection } from './postman.ts'
import { REAL, replayCollection } from './replay-postman.ts'

const json = { key: 'content-type', value: 'application/json' }
const keys = [
  { key: 'authorization', value: 'Bearer {{PROD_TOKEN}}' },
  { key: 'appkey', value: '{{PROD_APPKEY}}' },
  { key: 'appsecret', value: '{{PROD_APPSECRET}}' },
]
const script = (listen: string, ...exec: string[]) => ({ listen, script: { exec } })
const post = (path: string, body: object) => ({
  method: 'POST',
  body: { mode: 'raw', raw: JSON.stringify(body) },
  url: { raw: `{{PROD}}${path}` },
})
const me = { CANO: '{{CANO_REAL}}', ACNT_PRDT_CD: '01' }

/** Made up, in the form KIS's own collections have. */
const COLLECTION = {
  info: { name: '실전투자' },
  item: [
    {
      name: 'OAuth',
      item: [
        {
          name: '폐기',
          request: {
            ...post('/oauth2/revokeP', {
              appkey: '{{PROD_APPKEY}}',
              appsecret: '{{PROD_APPSECRET}}',
              token: '{{PROD_TOKEN}}',
            }),
            header: [json],
          },
        },
        {
          name: '발급',
          event: [
            script(
              'test',
              '// pm.environment.set("PROD_TOKEN", jsonData.token_type);',
              'pm.environment.set("PROD_TOKEN", jsonData.access_token);',
            ),
          ],
          request: {
            ...post('/oauth2/tokenP', {
              grant_type: 'client_credentials',
              appkey: '{{PROD_APPKEY}}',
              appsecret: '{{PROD_APPSECRET}}',
            }),
            header: [json],
          },
        },
      ],
    },
    {
      name: '주문',
      request: {
        ...post('/uapi/domestic-stock/v1/trading/order-cash', {
          ...me,
          PDNO: '005930',
          ORD_DVSN: '00',
          ORD_QTY: '1',
          ORD_UNPR: '55000',
        }),
        header: [
          json,
          ...keys,
          { key: 'tr_id', value: 'TTTC0802U' },
          { key: 'hashkey', value: 'wrong', disabled: true },
        ],
      },
    },
    {
      name: '취소',
      event: [script('prerequest', 'pm.environment.set("PROD_HASH", res.json().HASH);')],
      request: {
        ...post('/uapi/domestic-stock/v1/trading/order-rvsecncl', {
          ...me,
          KRX_FWDG_ORD_ORGNO: '0',
          ORGN_ODNO: '1',
          ORD_DVSN: '00',
          RVSE_CNCL_DVSN_CD: '02',
          ORD_QTY: '0',
          ORD_UNPR: '0',
          QTY_ALL_ORD_YN: 'Y',
        }),
        header: [json, ...keys, { key: 'tr_id', value: 'TTTC0803U' }, { key: 'hashkey', value: '{{PROD_HASH}}' }],
      },
    },
    {
      name: '투자자',
      request: {
        method: 'GET',
        header: [json, ...keys, { key: 'tr_id', value: ' FHKST01010900' }],
        url: { raw: '{{PROD}}/uapi/domestic-stock/v1/quotations/inquire-investor?fid_input_iscd=005930' },
      },
    },
  ],
}

const read = (collection: object): PostmanCollection => {
  const folder = mkdtempSync(join(tmpdir(), 'postman-'))
  const file = join(folder, 'collection.json')
  writeFileSync(file, JSON.stringify(collection))
  try {
    return readCollection(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a collection is read', () => {
  const { name, requests } = read(COLLECTION)

  test('with folders, headers that are switched on, and what its scripts set', () => {
    expect([name, requests.map((one) => one.name)]).toEqual([
      '실전투자',
      ['OAuth / 폐기', 'OAuth / 발급', '주문', '취소', '투자자'],
    ])
    expect(requests[1]?.sets).toEqual(new Map([['PROD_TOKEN', 'access_token']]))
    expect(requests[2]?.headers.map(([key]) => key)).toEqual([
      'content-type',
      'authorization',
      'appkey',
      'appsecret',
      'tr_id',
    ])
    expect([requests[2]?.hashInto, requests[3]?.hashInto]).toEqual([null, 'PROD_HASH'])
  })

  test('and refused when it is none', () => {
    expect(() => read({ values: [] })).toThrow('info')
  })
})

test('variables are put in; an unknown one stays as it is', () => {
  expect(filled('{{A}}/x?y={{B}}{{A}}', new Map([['A', 'one']]))).toBe('one/x?y={{B}}one')
})

describe('against the pretend KIS', () => {
  let market: Awaited<ReturnType<typeof startMarket>>
  beforeAll(async () => {
    market = await startMarket()
  })
  afterAll(() => market.close())

  test('tokens, orders, cancellations with a hash, and what is not imitated', async () => {
    const { real } = customer(0)
    const outcomes = await replayCollection(read(COLLECTION), {
      client: 'Postman, real',
      url: market.sim.url,
      environment: REAL,
      owners: { stocks: real, futures: customer(1).real },
    })
    expect(outcomes.map(({ call, verdict }) => `${call}: ${verdict}`)).toEqual([
      'OAuth / 발급: works',
      '주문: works',
      '취소: works',
      '투자자: not imitated',
      'OAuth / 폐기: works',
    ])
    expect(market.sim.orders(real.accountNumber)).toMatchObject([{ price: 55_000, change: null }, { change: 'cancel' }])
  })

  test('the market has traded before the clients come', () => {
    expect(market.sim.broker.exchange.issue('005930').tapes.KRX.minutes.length).toBeGreaterThan(0)
  })
})

import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../errors.ts'
import { readControl, registrationText } from './control.ts'

const message = (header: unknown, body?: unknown): string => JSON.stringify({ header, body })
const ping = (datetime: unknown) => readControl(message({ tr_id: 'PINGPONG', datetime }))

describe('PINGPONG', () => {
  test('brings the broker’s time', () =>
    expect(ping('20261116093412')).toEqual({ kind: 'pingPong', at: Date.UTC(2026, 10, 16, 0, 34, 12) }))

  test.each([undefined, null, '', '2026', '20261116', '2026111609341', '202611160934120', '20261301093412'])(
    'with the time %j brings none',
    (datetime) => expect(ping(datetime)).toEqual({ kind: 'pingPong', at: Number.NaN }),
  )

  test.each(['20261131093412', '20261116246060', '20261116093460', ' 20261116093412', 20_261_116_093_412, {}])(
    'at %j, which no clock shows, brings none',
    (datetime) => expect(ping(datetime)).toEqual({ kind: 'pingPong', at: Number.NaN }),
  )
})

describe('acks', () => {
  const header = { tr_id: 'H0STCNT0', tr_key: '005930', encrypt: 'N' }
  const ack = { kind: 'ack', trId: 'H0STCNT0', trKey: '005930', ok: true, code: 'OPSP0000', message: '', key: null }

  test.each<[string, unknown, unknown, object]>([
    [
      'registered',
      header,
      { rt_cd: '0', msg_cd: 'OPSP0000', msg1: 'SUBSCRIBE SUCCESS' },
      { message: 'SUBSCRIBE SUCCESS' },
    ],
    [
      'with a key',
      header,
      { rt_cd: '0', msg_cd: 'OPSP0000', output: { iv: 'i', key: 'k' } },
      { key: { iv: 'i', key: 'k' } },
    ],
    ['with half a key', header, { rt_cd: '0', msg_cd: 'OPSP0000', output: { iv: 'i' } }, {}],
    ['padded', { tr_id: ' H0STCNT0 ', tr_key: ' 005930 ' }, { rt_cd: '0', msg_cd: ' OPSP0000 ', msg1: '  ' }, {}],
    [
      'refused',
      header,
      { rt_cd: '1', msg_cd: 'OPSP0008', msg1: 'MAX' },
      { ok: false, code: 'OPSP0008', message: 'MAX' },
    ],
    ['a result of another type than text', header, { rt_cd: null, msg_cd: 'OPSP0000' }, { ok: false }],
    ['without a code', header, { rt_cd: '9' }, { ok: false, code: '' }],
    [
      'without a key of its own',
      { tr_id: '(null)' },
      { rt_cd: '9' },
      { ok: false, code: '', trId: '(null)', trKey: '' },
    ],
  ])('%s', (_name, head, body, expected) => expect(readControl(message(head, body))).toEqual({ ...ack, ...expected }))

  test('texts of any length are cut', () => {
    const long = 'x'.repeat(5_000)
    const control = readControl(message({ tr_id: long, tr_key: long }, { rt_cd: long, msg_cd: long, msg1: long }))
    expect(JSON.stringify(control).length).toBeLessThan(1_000)
  })
})

test.each([
  '',
  '{',
  '[]',
  'null',
  '"PINGPONG"',
  '{}',
  '{"header":{}}',
  '{"header":{"tr_id":5}}',
  '{"header":{"tr_id":"H0STCNT0"}}',
  '{"header":{"tr_id":"H0STCNT0"},"body":null}',
  '{"header":{"tr_id":"H0STCNT0"},"body":"x"}',
  // Two messages glued together.
  `${message({ tr_id: 'PINGPONG' })}${message({ tr_id: 'PINGPONG' })}`,
  `${message({ tr_id: 'PINGPONG' })}0|H0STCNT0|001|005930`,
])('no control message: %s', (text) => {
  expect(() => readControl(text)).toThrow(ProtocolError)
  expect(() => readControl(text)).toThrow(/^.{1,160}$/)
})

test('a registration as the broker’s examples write it', () =>
  expect(JSON.parse(registrationText('approval', { type: 'unregister', trId: 'H0STCNT0', trKey: '005930' }))).toEqual({
    header: { approval_key: 'approval', custtype: 'P', tr_type: '2', 'content-type': 'utf-8' },
    body: { input: { tr_id: 'H0STCNT0', tr_key: '005930' } },
  }))

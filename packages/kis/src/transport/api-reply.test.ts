import { describe, expect, test } from 'vitest'
import { failureOf, readReply } from './api-reply.ts'

const response = (status: number, body: unknown) => ({
  status,
  cont: null,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})
const failure = (status: number, body: Record<string, string>) => {
  const reply = readReply(response(status, body))
  return reply === null ? 'unreadable' : reply.ok ? 'ok' : failureOf(reply)
}
const code = (msg_cd: string, msg1 = '') => ({ rt_cd: '1', msg_cd, msg1 })

test('keys are lower-cased at every depth and texts lose their padding', () => {
  const body = { rt_cd: '0', msg_cd: 'APBK0013', msg1: '주문 전송 완료     ', OUTPUT: [{ excg_id_dvsn_Cd: 'KRX' }] }
  const reply = readReply(response(200, body))
  expect(reply).toMatchObject({ ok: true, message: '주문 전송 완료', body: { output: [{ excg_id_dvsn_cd: 'KRX' }] } })
})

test.each(['__proto__', '__PROTO__'])('what %s holds is taken for no field', (name) => {
  const { body } = readReply(response(200, `{"rt_cd":"0","${name}":{"output":[]}}`)) ?? {}
  expect(body?.['output']).toBeUndefined()
})

describe('what an error says, by code before status', () => {
  test.each([
    ['token invalid', 500, code('EGW00121'), 'token'],
    ['token unknown', 500, code('EGW00122'), 'token'],
    ['token expired, at 500', 500, code('EGW00123'), 'token'],
    ['token expired, at 200', 200, code('EGW00123'), 'token'],
    ['too many calls, at 500', 500, code('EGW00201', '초당 거래건수를 초과하였습니다.'), 'throttled'],
    ['too many calls, at 200', 200, code('EGW00201'), 'throttled'],
    ['ledger busy', 500, code('EGW00215'), 'ledgerBusy'],
    ['not on paper', 500, code('EGW02006'), 'notOffered'],
    ['invented id', 200, code('OPSQ0002'), 'notOffered'],
    ['reservation on paper', 200, code('IGW00009'), 'notOffered'],
    ['gateway routing', 500, code('EGW00202'), 'noVerdict'],
    ['OPS routing', 500, code('EGW00203'), 'noVerdict'],
    ['internal routing', 500, code('EGW00204'), 'noVerdict'],
    ['routing', 500, code('EGW00300'), 'noVerdict'],
    ['connect time-out', 500, code('EGW00301'), 'noVerdict'],
    ['transaction time-out', 200, code('EGW00302'), 'noVerdict'],
    ['temporary', 500, code('EGW00001'), 'noVerdict'],
    ['a gateway code nobody listed', 200, code('EGW00999'), 'noVerdict'],
    ['maintenance: empty code', 500, code(''), 'noVerdict'],
    ['empty code at 200', 200, code(''), 'noVerdict'],
    ['MCI receive', 200, code('OPSQ0009'), 'noVerdict'],
    ['service delayed, on paper', 200, code('90020000'), 'noVerdict'],
    ['a time-out in words only', 200, code('XYZ00001', '거래 타임아웃'), 'noVerdict'],
    ['unknown code at 502', 502, code('XYZ00001'), 'noVerdict'],
    ['unknown code at 200', 200, code('XYZ00001'), 'refused'],
    ['shares locked', 200, code('APBK0400'), 'refused'],
    ['business refusal at 500', 500, code('APBK0918'), 'refused'],
    ['paper: nothing to cancel', 200, code('40330000'), 'refused'],
    ['wrong account', 500, { rt_cd: '2', msg_cd: 'OPSQ2000', msg1: 'ERROR : INPUT INVALID_CHECK_ACNO' }, 'refused'],
    ['account of another key', 200, code('IGW00002'), 'refused'],
    ['paper key on the real host', 500, code('EGW02004'), 'refused'],
    ['no data', 200, { rt_cd: '7', msg_cd: 'KIOK0560', msg1: '조회할 내용이 없습니다' }, 'noData'],
    ['days it does not list', 200, { rt_cd: '7', msg_cd: 'KIER2570', msg1: '조회일자를 확인하십시오' }, 'daysRefused'],
    ['days it does not list, with the status of an error', 500, code('KIER2570'), 'daysRefused'],
    ['a list that changed', 200, code('SYDB0050', '조회이후에 자료가 변경되었습니다'), 'listChanged'],
    ['a list that changed, at 500', 500, code('SYDB0050'), 'listChanged'],
    ['empty, but fine', 200, { rt_cd: '0', msg_cd: 'KIOK0560', msg1: '' }, 'ok'],
  ])('%s', (_name, status, body, expected) => expect(failure(status, body)).toBe(expected))

  test('the token endpoint has keys of its own', () => {
    const body = { error_description: '접근토큰 발급 잠시 후 다시 시도하세요(1분당 1회)', error_code: 'EGW00133' }
    expect(readReply(response(403, body))).toMatchObject({
      ok: false,
      code: 'EGW00133',
      message: body.error_description,
    })
  })

  test.each(['', '<html>점검 중</html>', '{"rt_cd":"0","msg', '[]', 'null', '"text"', '{}'])('unreadable: %s', (text) =>
    expect(readReply(response(200, text))).toBeNull(),
  )
})

import { Refused } from '@digger/contract'
import { SETTINGS } from '@digger/engine/testing'
import { describe, expect, test } from 'vitest'
import { readInput } from './input.ts'

const NOTHING = { params: {}, query: {}, body: undefined }
const PATH = { userId: 'user', code: '005930' }

function refusalOf(read: () => unknown): { code: string; message: string } | null {
  try {
    read()
    return null
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { code: error.code, message: error.message }
  }
}

describe('input that fits', () => {
  test('is read by the contract: numbers with commas, codes, absent queries', () => {
    expect(readInput('marketBuy', { ...NOTHING, params: PATH, body: { amount: '1,000' } })).toMatchObject({
      params: { code: '005930' },
      body: { amount: 1_000 },
    })
    expect(readInput('orders', { ...NOTHING, params: PATH }).query).toEqual({})
  })

  test('of a call without some part has none of it, whatever came', () => {
    const input = readInput('orders', { ...NOTHING, params: PATH, body: { amount: 1 } })
    expect(input.body).toBeUndefined()
  })
})

describe('input that does not fit is INVALID', () => {
  test('every field of it is named as people do, a line each', () => {
    const body = { ...SETTINGS, maxBuyPrice: '칠만', buyUnitPrice: -5, sellPercent: '많이' }
    expect(refusalOf(() => readInput('updateStock', { ...NOTHING, params: PATH, body }))?.message.split('\n')).toEqual([
      '최고 매수가: 원 단위의 정수로 넣어 주세요.',
      '1회 매수 금액: 0 이상으로 넣어 주세요.',
      '매도 비율: 숫자로 넣어 주세요.',
    ])
  })

  test('what only programs send keeps its name', () => {
    const body = { ...SETTINGS, version: 'new' }
    expect(refusalOf(() => readInput('updateStock', { ...NOTHING, params: PATH, body }))?.message).toBe(
      'version: 숫자로 넣어 주세요.',
    )
  })

  test('and the message names the field', () => {
    expect(refusalOf(() => readInput('marketBuy', { ...NOTHING, params: PATH, body: { amount: 'much' } }))).toEqual({
      code: 'INVALID',
      message: expect.stringMatching(/^금액: .*[가-힣].*[.]$/),
    })
  })

  test('of a log-in both fields are named', () => {
    const message = refusalOf(() => readInput('login', { ...NOTHING, body: {} }))?.message
    expect(message?.split('\n')).toEqual([expect.stringMatching(/^이메일: /), expect.stringMatching(/^비밀번호: /)])
  })

  test.each([undefined, null, 'text', [], 1])('as a whole: %j', (body) => {
    const read = () => readInput('marketBuy', { ...NOTHING, params: PATH, body })
    expect(refusalOf(read)).toEqual({ code: 'INVALID', message: expect.stringContaining('요청 내용(JSON)이 없거나') })
  })
})

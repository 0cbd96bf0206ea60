import { Refused } from '@digger/contract'
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
  test('and the message names the field', () => {
    expect(refusalOf(() => readInput('marketBuy', { ...NOTHING, params: PATH, body: { amount: 'much' } }))).toEqual({
      code: 'INVALID',
      message: expect.stringMatching(/^amount: .*[가-힣].*[.]$/),
    })
  })

  test('the first field only: one thing to mend at a time', () => {
    expect(refusalOf(() => readInput('login', { ...NOTHING, body: {} }))?.message.match(/: /g)).toHaveLength(1)
  })

  test.each([undefined, null, 'text', [], 1])('as a whole: %j', (body) => {
    const read = () => readInput('marketBuy', { ...NOTHING, params: PATH, body })
    expect(refusalOf(read)).toEqual({ code: 'INVALID', message: expect.stringContaining('요청 내용(JSON)이 없거나') })
  })
})

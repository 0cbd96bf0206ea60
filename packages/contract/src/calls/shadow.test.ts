import { describe, expect, test } from 'vitest'
import { isKeyed, KEYED } from '../paths.ts'
import { Shadow, ShadowOrder } from '../shadow.ts'
import { shadowCalls } from './shadow.ts'

describe('into the shadow, and back', () => {
  test.each<[unknown, boolean]>([
    [{ code: '005930', shadow: true }, true],
    [{ code: null, shadow: true }, true],
    [{ code: null, shadow: false }, true],
    [{ shadow: false }, false],
    [{ code: '005930' }, false],
    [{ code: '', shadow: true }, false],
    [{ code: '5930', shadow: true }, false],
    [{ code: '005930', shadow: 'true' }, false],
    [{ code: '005930', shadow: null }, false],
  ])('%j: %s', (body, isTaken) => {
    expect(shadowCalls.setShadow.body.safeParse(body).success).toBe(isTaken)
  })

  test('a press that comes twice is done once', () => {
    expect(isKeyed('setShadow', { code: null, shadow: true })).toBe(true)
    expect([...KEYED].filter((name) => name === 'shadow' || name === 'shadowOrders')).toEqual([])
  })

  test('each is for the person, and administrators for everyone', () => {
    expect(Object.values(shadowCalls).map(({ access }) => access)).toEqual(['owner', 'owner', 'owner', 'owner'])
  })
})

describe('money is whole won', () => {
  const rehearsed = { remainCount: 1, remainAmount: 70_000, openGain: null, realisedGain: -5, orders: 0 }
  const stock = { code: '005930', name: '삼성전자', shadow: true, rehearsed }
  const shadow = { everything: false, newStocks: false, rule: 'cautious', stocks: [stock] }

  test('a gain may be a loss, or not known', () => {
    expect(Shadow.safeParse(shadow).success).toBe(true)
    const broken = { ...stock, rehearsed: { ...rehearsed, realisedGain: 0.5 } }
    expect(Shadow.safeParse({ ...shadow, stocks: [broken] }).success).toBe(false)
  })

  test('an order says what would have filled, in whole shares', () => {
    const at = '2026-11-20T10:00:00+09:00'
    const plain = { orderId: 'S1', code: '005930', name: '삼성전자', orderType: 'BUY', orderDateTime: at, qty: 2 }
    const order = { ...plain, price: 70_000, exchangeCode: 'KRX', live: false, filledQty: 2, filledAmount: 140_000 }
    const whole = { ...order, auto: true, why: '', updatedAt: at }
    expect(ShadowOrder.safeParse(whole).success).toBe(true)
    expect(ShadowOrder.safeParse({ ...whole, filledQty: 1.5 }).success).toBe(false)
  })
})

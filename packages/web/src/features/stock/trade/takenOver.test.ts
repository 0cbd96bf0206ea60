import type { Trade } from '@digger/contract'
import { expect, test } from 'vitest'
import { newStock } from '../draft.ts'
import { releaseText } from './takenOver.ts'

const trade = (id: number, change: Partial<Trade> = {}): Trade => ({
  id,
  buyDateTime: '2026-11-21T10:00:00+09:00',
  buyCount: 6,
  buyPrice: 60_000,
  sellDateTime: null,
  sellPrice: null,
  gainAmount: null,
  gainRatio: null,
  netGainAmount: null,
  buying: false,
  takenOver: true,
  sellOrderId: null,
  targetPrice: 60_800,
  ...change,
})
type Change = Partial<ReturnType<typeof newStock>>
const stock = (change: Change = {}) => ({ ...newStock('u1', '005930'), autoSell: true, price: 70_000, ...change })
const far = trade(2, { buyCount: 4, buyPrice: 80_000, targetPrice: 81_000 })

test.each<[string, Change, Trade[], string]>([
  [
    'a target below the market is sold at once',
    {},
    [trade(1)],
    '6주는 목표가가 지금 가격 70,000원보다 높지 않아 바로 팔립니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  ],
  [
    'a target at the market too',
    { price: 60_800 },
    [trade(1)],
    '6주는 목표가가 지금 가격 60,800원보다 높지 않아 바로 팔립니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  ],
  [
    'one won above it rests',
    { price: 60_799 },
    [trade(1)],
    '목표가가 지금 가격 60,799원보다 높아, 목표가에 매도 주문을 걸어 둡니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  ],
  [
    'of several only those below the market',
    {},
    [trade(1), far],
    '6주는 목표가가 지금 가격 70,000원보다 높지 않아 바로 팔립니다. 나머지 1건은 목표가에 매도 주문을 걸어 둡니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  ],
  [
    'without a price nobody can say',
    { price: null },
    [trade(1)],
    '지금 가격을 몰라 바로 팔릴지 알 수 없습니다. 목표가가 지금 가격보다 높지 않으면 바로 팔립니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  ],
  [
    'while automatic sales are off nothing is sold yet',
    { autoSell: false },
    [trade(1)],
    '6주는 목표가가 지금 가격 70,000원보다 높지 않아 바로 팔립니다. 다만 자동 매도가 꺼져 있어, 켠 뒤에 그렇게 합니다.',
  ],
  [
    'nor while the stock is halted',
    { stop: 'halt' },
    [far],
    '목표가가 지금 가격 70,000원보다 높아, 목표가에 매도 주문을 걸어 둡니다. 다만 이 종목은 모두 멈춤이라, 푼 뒤에 그렇게 합니다.',
  ],
  [
    'a frozen stock is settled first',
    { frozen: { day: '20261120', close: 70_000, base: 35_000 } },
    [trade(1)],
    '기준가가 바뀌어 멈춘 종목이라, 조정할지 정한 뒤부터 팝니다.',
  ],
])('%s', (_name, change, trades, says) =>
  expect(
    releaseText(
      stock(change),
      trades,
      trades.map(({ id }) => id),
      'active',
    ),
  ).toBe(says),
)

test('nor while the account is halted', () => {
  expect(releaseText(stock(), [trade(1)], [1], 'halt')).toContain('다만 주문이 모두 멈춤이라, 푼 뒤에')
})

// With one target for all, what is released pulls it down: 60,000 and 80,000 are 70,000 on average, at +1.2 % 70,900.
test('sold as a whole, the others go with what is released', () => {
  const whole = { autoSellWithAvgPrice: true }
  const own = trade(3, { takenOver: false, buyCount: 6, buyPrice: 80_000, targetPrice: 81_000 })
  expect(releaseText(stock({ ...whole, price: 70_900 }), [trade(1), own], [1], 'active')).toBe(
    '모두 합친 목표가 70,900원이 지금 가격 70,900원보다 높지 않아, 12주가 바로 팔립니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  )
  expect(releaseText(stock({ ...whole, price: 70_800 }), [trade(1), own], [1], 'active')).toBe(
    '모두 합친 목표가 70,900원이 지금 가격 70,800원보다 높아, 그 가격에 매도 주문을 걸어 둡니다. 장이 열려 있지 않으면 열릴 때 그렇게 합니다.',
  )
  // Not those that are still bought, sold, or not released.
  const others = [trade(4, { buying: true }), trade(5, { sellDateTime: '2026-11-21T11:00:00+09:00' }), trade(6)]
  expect(releaseText(stock({ ...whole, price: 70_900 }), [trade(1), own, ...others], [1], 'active')).toContain('12주가')
})

import { describe, expect, test } from 'vitest'
import { NO_DEALS, type OwnDeals } from './book.ts'
import { type Booked, differenceOf, type DifferenceName, MEANINGS, NAMES, namesOf } from './difference.ts'

/** Bought for 700,000 and sold for 720,000 on one day: fees 105 and 108, tax 1,440. */
const OWN: OwnDeals = {
  ...NO_DEALS,
  name: '삼성전자',
  buyAmount: 700_000,
  sellAmount: 720_000,
  fee: 213,
  tax: 1_440,
  gainAmount: 18_347,
  soldCost: 700_000,
  lotFee: 213,
  orders: 2,
  sales: 1,
}
const BROKER: Booked = { buyAmount: 700_000, sellAmount: 720_000, gainAmount: 18_347, fee: 213, tax: 1_440 }
const { fee, tax, incomeTax, person, correction, day, average, unexplained } = NAMES

interface Case {
  readonly own?: Partial<OwnDeals>
  readonly broker?: Partial<Booked>
  readonly isEtf?: boolean
  readonly shifted?: { buy?: boolean; sell?: boolean }
  readonly cost?: DifferenceName
}
const judge = ({ own, broker, isEtf = false, shifted, cost = average }: Case): string[] =>
  namesOf({
    own: { ...OWN, ...own },
    broker: { ...BROKER, ...broker },
    isEtf,
    shifted: { buy: false, sell: false, ...shifted },
    cost,
  })

describe('why book and broker differ', () => {
  test.each<[name: string, given: Case, names: DifferenceName[]]>([
    ['not at all', {}, []],
    ['a fee that is a won lower', { broker: { fee: 212, gainAmount: 18_348 } }, [fee]],
    ['the fee of another tariff', { broker: { fee: 50, gainAmount: 18_510 } }, [fee]],
    ['no fee at all, as in an event', { broker: { fee: 0, gainAmount: 18_560 } }, [fee]],
    ['the dearest tariff', { broker: { fee: 7_100, gainAmount: 11_460 } }, [fee]],
    ['a fee that is none', { broker: { fee: 7_101, gainAmount: 11_459 } }, [unexplained]],
    ['a fee below nothing', { broker: { fee: -1, gainAmount: 18_561 } }, [unexplained]],
    ['tax cut in two parts', { broker: { tax: 1_439, gainAmount: 18_348 } }, [tax]],
    ['two won of tax for one sale', { broker: { tax: 1_438, gainAmount: 18_349 } }, [tax]],
    ['three won of tax for one sale', { broker: { tax: 1_437, gainAmount: 18_350 } }, [unexplained]],
    ['four won of tax for two sales', { own: { sales: 2 }, broker: { tax: 1_436, gainAmount: 18_351 } }, [tax]],
    ['fee and tax', { broker: { fee: 212, tax: 1_439, gainAmount: 18_349 } }, [fee, tax]],
    [
      'income tax of an ETF',
      { isEtf: true, own: { tax: 0, gainAmount: 19_787 }, broker: { tax: 3_047, gainAmount: 16_740 } },
      [incomeTax],
    ],
    ['less tax than the law has, of an ETF', { isEtf: true, broker: { tax: 0, gainAmount: 19_787 } }, [unexplained]],
    [
      'what a person bought, by the imported list',
      { own: { foreignBuyAmount: 69_000 }, broker: { buyAmount: 769_000, fee: 223, gainAmount: 18_337 } },
      [person],
    ],
    [
      'what a person sold, by the imported list',
      {
        own: { foreignSellAmount: 71_000 },
        broker: { sellAmount: 791_000, fee: 223, tax: 1_582, gainAmount: 19_195 },
      },
      [person],
    ],
    [
      'more than the imported list has',
      { own: { foreignBuyAmount: 69_000 }, broker: { buyAmount: 769_001 } },
      [unexplained],
    ],
    [
      'a stock without an order of Digger’s',
      { own: { ...NO_DEALS }, broker: { buyAmount: 0, sellAmount: 71_000, fee: 10, tax: 142, gainAmount: 848 } },
      [person],
    ],
    ['more at the broker, beside orders of Digger’s', { broker: { sellAmount: 791_000 } }, [unexplained]],
    ['less at the broker', { broker: { buyAmount: 0 } }, [unexplained]],
    [
      'bought a day later at the broker',
      { shifted: { buy: true }, broker: { buyAmount: 0, fee: 108, gainAmount: 18_452 } },
      [day],
    ],
    [
      'sold a day later at the broker',
      { shifted: { sell: true }, broker: { sellAmount: 0, fee: 105, tax: 0, gainAmount: -105 } },
      [day],
    ],
    [
      'the fee of a buy of another day',
      { own: { fee: 108, gainAmount: 18_347 }, broker: { fee: 108, gainAmount: 18_452 } },
      [day],
    ],
    ['cost by the moving average', { broker: { gainAmount: 9_347 } }, [average]],
    ['cost that the average does not explain', { cost: unexplained, broker: { gainAmount: 9_347 } }, [unexplained]],
    ['a won of the average’s rounding', { broker: { gainAmount: 18_348 } }, [average]],
    ['cost and fee', { broker: { fee: 212, gainAmount: 9_348 } }, [fee, average]],
    ['a lot that a correction closed', { own: { corrections: 1 }, broker: { gainAmount: 10_000 } }, [correction]],
    [
      'a correction on the day of a person’s sale',
      {
        own: { ...NO_DEALS, corrections: 1, foreignSellAmount: 71_000 },
        broker: { buyAmount: 0, sellAmount: 71_000, fee: 10, tax: 142, gainAmount: 848 },
      },
      [person, correction],
    ],
    ['a correction that changes nothing', { own: { corrections: 1 } }, []],
  ])('%s', (_name, given, names) => expect(judge(given)).toEqual(names))

  test('is never silent about a difference, and never names one that is not there', () => {
    for (const amount of ['buyAmount', 'sellAmount', 'gainAmount', 'fee', 'tax'] as const)
      for (const by of [-1_000_000, -3, -1, 1, 3, 1_000_000])
        expect([amount, by, judge({ broker: { [amount]: BROKER[amount] + by } }).length > 0]).toEqual([
          amount,
          by,
          true,
        ])
    expect(judge({})).toEqual([])
  })
})

test('a difference is what Digger has more', () =>
  expect(differenceOf(OWN, { ...BROKER, fee: 200, tax: 1_500 })).toEqual({
    buyAmount: 0,
    sellAmount: 0,
    gainAmount: 0,
    fee: 13,
    tax: -60,
  }))

test('every name has its sentence', () => {
  expect(Object.keys(MEANINGS).toSorted()).toEqual(Object.values(NAMES).toSorted())
  for (const meaning of Object.values(MEANINGS)) expect(meaning).toMatch(/[가-힣].*\.$/)
})

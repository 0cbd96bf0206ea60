import { describe, expect, test } from 'vitest'
import { changedNames, draftOf, newStock, type Draft } from './draft.ts'
import { errorsIn, settingsErrors } from './settingsErrors.ts'

const stock = { ...newStock('u1', '005930'), maxBuyPrice: 75_000, autoBuy: true, autoSell: true }
const draft = (changes: Partial<Draft>): Draft => ({ ...draftOf(stock), ...changes })

describe('what is wrong stands at its field', () => {
  test.each<[Partial<Draft>, object]>([
    [{}, {}],
    [{ maxBuyPrice: '1,000만', maxBuyAmount: '1억 2,000만' }, {}],
    [{ maxBuyPrice: '칠만' }, { maxBuyPrice: expect.stringMatching(/^숫자로/) }],
    [{ sellPercent: '' }, { sellPercent: '값을 넣어 주세요.' }],
    [{ maxBuyPrice: '' }, { maxBuyPrice: expect.stringMatching(/^자동 매수를 켜려면/) }],
    [{ maxBuyPrice: '', autoBuy: false }, {}],
    [{ buyUnitPrice: '-5' }, { buyUnitPrice: expect.stringMatching(/^0원부터/) }],
    [{ useMinSellPrice: true }, { minSellPrice: expect.stringMatching(/^최저 매도가를 쓰려면/) }],
    [
      { maxBuyPrice: '칠만', buyPercent: '1', sellPercent: '0' },
      {
        maxBuyPrice: expect.any(String),
        buyPercent: expect.stringMatching(/0보다 작아야/),
        sellPercent: expect.stringMatching(/0보다 커야/),
      },
    ],
  ])('%j', (changes, errors) => expect(settingsErrors(draft(changes))).toEqual(errors))
})

test('a refusal is shared out to the fields it names, the rest is left', () => {
  const message =
    '최고 매수가: 원 단위의 정수로 넣어 주세요.\n매도 비율: 숫자로 넣어 주세요.\nversion: 숫자로 넣어 주세요.'
  expect(errorsIn(message)).toEqual({
    errors: { maxBuyPrice: '원 단위의 정수로 넣어 주세요.', sellPercent: '숫자로 넣어 주세요.' },
    rest: 'version: 숫자로 넣어 주세요.',
  })
  expect(errorsIn('이 종목은 멈춰 있습니다.')).toEqual({ errors: {}, rest: '이 종목은 멈춰 있습니다.' })
})

test.each<[Partial<Draft>, string[]]>([
  [{}, []],
  [{ maxBuyPrice: '75000' }, []],
  [{ maxBuyAmount: '1,000만' }, []],
  [{ maxBuyPrice: '8만', autoSell: false }, ['maxBuyPrice', 'autoSell']],
  [{ lastBuyPrice: '칠만' }, ['lastBuyPrice']],
  [{ maxBuyPrice: '' }, ['maxBuyPrice']],
])('changed is what has another value, however it is typed: %j', (changes, names) =>
  expect(changedNames(stock, draft(changes))).toEqual(names),
)

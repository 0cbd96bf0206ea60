import { emptyBook, type Book, type Order } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import { ListChangedError, PartialListError, type KisExecution, type KisExecutions } from '@digger/kis'
import { describe, expect, test } from 'vitest'
import { execution, fakeKis } from '@digger/prices/testing'
import { Timetables } from '@digger/prices'
import { BrokerLists } from './broker-lists.ts'

const TODAY = '20261120'
const CODES = ['000010', '000020', '000030', '000040', '000050', '000060']
const odnoOf = (code: string): string => code.padStart(10, '0')
const CHANGED = new ListChangedError('조회이후에 자료가 변경되었습니다.', 'SYDB0050')

const orderOf = (code: string, id: number): Order => ({
  id,
  code,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  count: 1,
  venue: 'KRX',
  session: 'regular',
  lots: [],
  status: 'open',
  day: TODAY,
  odno: odnoOf(code),
  orgno: '06010',
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 70_000,
  createdAt: 0,
  updatedAt: 0,
  why: '',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
})

/** An open order in each of six stocks. */
const book: Book = { ...emptyBook(TODAY), orders: new Map(CODES.map((code, n) => [n + 1, orderOf(code, n + 1)])) }
const rowOf = (code: string): KisExecution => execution({ day: TODAY, code, odno: odnoOf(code) })
const listOf = (rows: readonly KisExecution[]): KisExecutions => Object.assign([...rows], { leftAt: 7, unreadable: [] })

/** A broker whose list of all changes under every walk; `seen`: the stocks that its first page shows. */
function broken({ seen, failing = [] }: { seen: readonly string[]; failing?: readonly string[] }) {
  const asked: string[] = []
  const rest = fakeKis({
    executions: async ({ code }) => {
      if (code === undefined) throw new PartialListError(listOf(seen.map(rowOf)), CHANGED)
      asked.push(code)
      if (failing.includes(code)) throw CHANGED
      return listOf([rowOf(code)])
    },
  })
  const reader = { book: () => book, timetable: () => new Timetables('krx').current }
  const lists = new BrokerLists(rest, new TestClock(), reader, () => undefined)
  const read = async (noticed: readonly string[]) => {
    asked.length = 0
    const event = await lists.readInTurn({ from: TODAY, to: TODAY, compare: false, noticed })
    if (event?.kind !== 'snapshotFailed') throw new Error('the reading did not fail')
    return { asked: [...asked], shown: event.seen?.executions.map(({ code }) => code), askedAt: event.seen?.askedAt }
  }
  return read
}

test('after the list of all broke, the lists of single stocks are read: noticed fills first, then others in turn', async () => {
  const read = broken({ seen: ['000010'] })
  const first = await read(['000050'])
  expect(first.asked).toEqual(['000050', '000020', '000030', '000040'])
  expect([first.shown, first.askedAt]).toEqual([['000010', '000050', '000020', '000030', '000040'], 7])
  expect((await read([])).asked).toEqual(['000050', '000060', '000020', '000030'])
  expect((await read(['000010'])).asked).toEqual(['000010', '000040', '000050', '000060'])
})

test('one that fails as well ends it: what was shown so far counts', async () => {
  const read = broken({ seen: ['000010'], failing: ['000030'] })
  const { asked, shown } = await read([])
  expect([asked, shown]).toEqual([
    ['000020', '000030'],
    ['000010', '000020'],
  ])
})

const readStock = (executions: () => Promise<KisExecutions>) => {
  const reader = { book: () => book, timetable: () => new Timetables('krx').current }
  const lists = new BrokerLists(fakeKis({ executions }), new TestClock(), reader, () => undefined)
  return lists.readStock({ code: '000010', from: TODAY, to: TODAY })
}

describe('the list of one stock', () => {
  test('comes with the time at which it left', async () => {
    const executions = listOf([rowOf('000010')])
    expect(await readStock(async () => executions)).toEqual({
      kind: 'stockList',
      code: '000010',
      list: { askedAt: 7, from: TODAY, to: TODAY, executions },
    })
  })

  test('that cannot be read says nothing', async () => {
    expect(await readStock(() => Promise.reject(CHANGED))).toEqual({ kind: 'stockList', code: '000010', list: null })
  })

  test('with a row that may be ours and cannot be read says nothing', async () => {
    const odd = {
      day: TODAY,
      odno: odnoOf('000010'),
      originalOdno: null,
      code: '000010',
      what: 'tot_ccld_qty: is blank',
    }
    const list = Object.assign([rowOf('000010')], { leftAt: 7, unreadable: [odd] })
    expect(await readStock(async () => list)).toEqual({ kind: 'stockList', code: '000010', list: null })
  })

  test('does not wait for the reading of all', async () => {
    const all = Promise.withResolvers<KisExecutions>()
    const rest = fakeKis({
      executions: ({ code }) => (code === undefined ? all.promise : Promise.resolve(listOf([rowOf(code)]))),
    })
    const reader = { book: () => book, timetable: () => new Timetables('krx').current }
    const lists = new BrokerLists(rest, new TestClock(), reader, () => undefined)
    void lists.readInTurn({ from: TODAY, to: TODAY, compare: false })
    expect(await lists.readStock({ code: '000010', from: TODAY, to: TODAY })).toMatchObject({ list: { askedAt: 7 } })
  })
})

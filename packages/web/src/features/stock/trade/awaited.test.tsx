import type { AwaitedShares, Stock } from '@digger/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import type { ReadKey } from '../../../api/read.ts'
import { ask } from '../../../ask/ask.ts'
import { newStock } from '../draft.ts'
import { awaitedText, givenUpText } from './awaited.ts'
import { AwaitedPanel } from './AwaitedPanel.tsx'
import { giveUp } from './giveUp.ts'

const awaited: AwaitedShares = { count: 12, amount: 480_000, trades: 3, cost: 960_000 }
const stock: Stock = {
  ...newStock('u1', '005930'),
  name: '삼성전자',
  remainCount: 12,
  remainAmount: 480_000,
  expected: awaited,
}

test('the panel says what is waited for, what it cost, and when it never comes', () => {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Router ssrPath="/user/stock/005930/trade">
        <AwaitedPanel stock={stock} awaited={awaited} />
      </Router>
    </QueryClientProvider>,
  )
  expect(html).toContain('새 주식 12주를 기다리고 있습니다 (원금 480,000원)')
  expect(html).toContain('끝내 들어오지 않습니다')
  expect(html).toMatch(/<button[^>]*>더 기다리지 않기<\/button>/)
})

describe('the question', () => {
  test('names the trades that get the money back, and what a share costs then', () => {
    const text = givenUpText(stock, awaited)
    expect(text).toContain('받을 주식 12주를 지웁니다. 원금 480,000원이 남은 매매 3건의 원가로 돌아갑니다.')
    expect(text).toContain('평균 단가는 40,000원에서 80,000원이 됩니다.')
    expect(text).toContain('새 목표가로 다시 냅니다')
    expect(text).not.toContain('오늘의 손실')
  })

  test('says that the account may stop buying: the trades that get it back have lost as much more', () => {
    expect(givenUpText(stock, awaited)).toContain('평가 손실도 그만큼 늘어 손실 한도에 닿으면 매수가 멈춥니다.')
  })

  test('says that it is a loss where those are sold, whatever is held beside', () => {
    const text = givenUpText(stock, { ...awaited, trades: 0 })
    expect(text).toContain('원금 480,000원을 오늘의 손실로 적습니다.')
    expect(text).not.toContain('원가로')
  })

  test('says what the person’s own shares lose, and that nothing was paid', () => {
    const own = { count: 0, amount: 0, ofPerson: 5, trades: 0, cost: 0 }
    expect(givenUpText(stock, own)).toContain(
      '거기 든 원금은 없습니다. 직접 관리하는 주식에 더해질 5주도 더 기다리지 않습니다.',
    )
    expect(awaitedText(own)).toContain('직접 관리하는 주식 몫 5주')
  })
})

describe('giving up', () => {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
  beforeEach(() => {
    vi.stubGlobal('fetch', fetch)
    vi.stubGlobal('window', Object.assign(new EventTarget(), { dispatchEvent: () => true }))
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    fetch.mockReset()
  })
  const KEY: ReadKey = ['stock', { userId: 'user', code: '005930' }, {}]
  const start = (yes: boolean) => {
    vi.spyOn(ask, 'confirm').mockResolvedValue(yes)
    const alert = vi.spyOn(ask, 'alert').mockResolvedValue(null)
    const client = new QueryClient()
    client.setQueryData(KEY, stock)
    return { alert, client, done: giveUp({ client, userId: 'user', stock, awaited }) }
  }

  test('sends what was seen, and shows what comes of it', async () => {
    fetch.mockResolvedValueOnce(new Response(JSON.stringify({ ...stock, expected: null })))
    const { alert, client, done } = start(true)
    await done
    expect(fetch.mock.calls[0]?.[0]).toContain('/api/user/stock/005930/give-up')
    expect(fetch.mock.calls[0]?.[1].body).toBe(JSON.stringify(awaited))
    expect(client.getQueryData(KEY)).toMatchObject({ expected: null })
    expect(alert).toHaveBeenCalledWith('done', '받을 주식을 더 기다리지 않습니다.')
  })

  test('refused, it says why, and reads the stock anew', async () => {
    const message = '보신 뒤 받을 주식이 바뀌었습니다.'
    fetch.mockResolvedValueOnce(new Response(JSON.stringify({ code: 'CONFLICT', message }), { status: 409 }))
    const { alert, client, done } = start(true)
    await done
    expect(alert.mock.calls.flat().join(' ')).toContain(message)
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
  })

  test('is not sent without a yes', async () => {
    await start(false).done
    expect(fetch).not.toHaveBeenCalled()
  })
})

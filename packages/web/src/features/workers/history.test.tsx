import type { HistoryState } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { doneText, History, readingText } from './HistoryPanel.tsx'

const state = (change: Partial<HistoryState> = {}): HistoryState => ({
  stocks: 24,
  daysComplete: 18,
  minutesComplete: 5,
  reading: [],
  doneAt: null,
  callsLeft: 0,
  notes: [],
  ...change,
})
const show = (change: Partial<HistoryState>) => renderToStaticMarkup(<History state={state(change)} />)

test.each<[string, Partial<HistoryState>, string, string]>([
  ['all is there', {}, '없음', '다 모았습니다'],
  ['nobody reads', { callsLeft: 900 }, '없음. 증권사 키가 열려 있으면 곧 이어집니다.', '멈춰 있습니다'],
  [
    'two are read',
    {
      callsLeft: 900,
      doneAt: '2026-11-20T22:41:30.000+09:00',
      reading: [
        { code: '005930', name: '삼성전자', unit: 'minute', upTo: '20261030' },
        { code: '000660', name: 'SK하이닉스', unit: 'day', upTo: null },
      ],
    },
    '삼성전자 분봉 (2026-10-30까지 거슬러 감), SK하이닉스 일봉',
    '26-11-20 22:41쯤',
  ],
])('%s', (_name, change, reading, done) => {
  expect(readingText(state(change))).toBe(reading)
  expect(doneText(state(change))).toBe(done)
})

test('says how many stocks are complete, and why others are not', () => {
  const html = show({ callsLeft: 11_400, notes: [{ text: '모의투자 서버는 지난 분봉을 주지 않습니다.', stocks: 19 }] })
  expect(html).toContain('일봉 10년을 다 모은 종목 <b>18</b> / 24')
  expect(html).toContain('분봉 60일을 다 모은 종목 <b>5</b> / 24')
  expect(html).toContain('약 11,400번')
  expect(html).toContain('주지 않습니다. (19종목)')
})

test('without any stock it says what brings one', () => {
  expect(show({ stocks: 0, daysComplete: 0, minutesComplete: 0 })).toContain(
    '계좌에 종목을 넣으면 지난 시세를 모읍니다.',
  )
  expect(show({})).not.toContain('까닭')
})

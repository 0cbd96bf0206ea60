import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LadderBar } from './LadderBar.tsx'
import { ladderBarParts, ladderBarText } from './ladderBarParts.ts'

const counts = (held: number, out: number, next: boolean, left: number) => ({ held, out, next, left })
const shown = (...of: Parameters<typeof counts>) =>
  ladderBarParts(counts(...of)).map(({ kind, size }) => `${kind} ${size}`)

test('one segment a step up to 24, above that one part of each kind as long as its steps', () => {
  expect(shown(2, 1, true, 1)).toEqual(['held 1', 'held 1', 'out 1', 'next 1', 'left 1'])
  expect(shown(5, 0, true, 18)).toHaveLength(24)
  expect(shown(5, 0, true, 19)).toEqual(['held 5', 'next 1', 'left 19'])
  expect(shown(0, 0, false, 0)).toEqual([])
})

test('its words say what its colours say', () => {
  expect(ladderBarText(counts(5, 1, true, 16), 'on')).toBe('사다리 23칸: 5칸 삼, 1칸 주문 중, 17칸 남음')
  expect(ladderBarText(counts(5, 0, true, 16), 'late')).toBe(
    '사다리 22칸: 5칸 삼, 17칸 남음, 다음 칸 주문이 늦어지고 있음',
  )
  expect(ladderBarText(counts(5, 0, false, 0), 'stopped')).toBe('사다리 5칸: 5칸 삼, 0칸 남음, 매수 멈춤')
  expect(ladderBarText(counts(0, 0, false, 0), 'on')).toBe('사다리: 더 살 칸이 없음')
  const html = renderToStaticMarkup(createElement(LadderBar, { ...counts(1, 0, true, 1), state: 'late' }))
  expect(html).toContain('다음 칸 주문이 늦어지고 있음')
  expect(html.match(/<i /g)).toHaveLength(3)
})

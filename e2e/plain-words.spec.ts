import type { Page } from '@playwright/test'
import { BROKER_MS, expect, settled, take, test } from './test.ts'

/** Names that programs have for fields. */
const PROPERTY = /\b[a-z]+[A-Z]\w+\b/

interface Answer {
  status: number
  code: string
  message: string
}

/** As the page itself would call it. */
const post = (page: Page, path: string, body: object): Promise<Answer> =>
  page.evaluate<Answer>(`fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(body))} }).then(async (reply) => ({ status: reply.status, ...(await reply.json()) }))`)

test('what the server refuses and writes down has the names that people know', async ({ page, enter }) => {
  test.setTimeout(2 * BROKER_MS)
  await enter('user', '/user/password')
  await take(page, [
    ['지금 비밀번호', 'not my password'],
    ['새 비밀번호', 'second password'],
    ['새 비밀번호 확인', 'second password'],
    'UPDATE',
  ])
  await expect(page.getByRole('alertdialog')).toContainText('지금 비밀번호가 맞지 않습니다')
  await expect(page.getByRole('alertdialog')).not.toContainText(PROPERTY)
  await take(page, ['확인'])

  await page.goto('/user/stock/066570/settings')
  await settled(page)
  const percent = page.getByLabel('매도 비율')
  const [before, after] = (await percent.inputValue()) === '10' ? ['10', '11'] : ['11', '10']
  await percent.fill(after)
  await take(page, [/저장$/])
  await expect(page.getByRole('alertdialog')).toContainText('done')
  await take(page, ['확인'])
  await page.goto('/user/audit')
  const line = page.getByRole('list', { name: '활동 기록' }).getByRole('listitem').filter({ hasText: '066570' }).first()
  await expect(line).toContainText(`매도 비율 ${before}% → ${after}%`)
  await expect(line).not.toContainText(PROPERTY)

  // Every screen says that only an administrator adds stocks: the server says the same, of one that no other test adds.
  const stock: object = await page.evaluate(`fetch('/api/user/stock/066570').then((reply) => reply.json())`)
  const added = await post(page, '/api/user/stock/026960', { ...stock, version: 0, autoBuy: true })
  expect(added).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect(added.message).toContain('종목을 추가할 권한이 없습니다.')
  // All that is wrong is said together.
  const refused = await post(page, '/api/user/stock/066570', { ...stock, maxBuyPrice: '칠만', maxBuyAmount: '많이' })
  expect(refused.message.split('\n')).toHaveLength(2)
  expect(refused.message).toMatch(/^최고 매수가: .+\n최대 매수 금액: /)
  expect(refused.message).not.toMatch(PROPERTY)
})

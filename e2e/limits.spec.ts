import { expect, settled, test } from './world.ts'

const CARD = { positionAmount: '계좌 보유 금액' }

test('a tightened limit holds at once, a loosened one after the night, and can be taken back', { tag: '@fixture' }, async ({
  page,
  enter,
}) => {
  await enter('user', '/user/limits')
  const row = page.getByRole('listitem').filter({ hasText: '1회 매수 금액' })
  const change = async (text: string) => {
    await row.getByRole('button', { name: '바꾸기' }).click()
    await expect(row.getByLabel('1회 매수 금액 한도')).toBeFocused()
    await row.getByLabel('1회 매수 금액 한도').fill(text)
  }
  await change('다섯')
  await page.keyboard.press('Enter')
  await expect(row.getByText('정수로 넣어 주세요.')).toBeVisible()
  await row.getByLabel('1회 매수 금액 한도').fill('5,000,000')
  await expect(row.getByText('저장하면 바로 지켜집니다.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(row.getByText('5,000,000원', { exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: '바꾸기' })).toBeFocused()
  await change('')
  await expect(row.getByText(/하룻밤 뒤/)).toBeVisible()
  await row.getByRole('button', { name: '저장' }).click()
  await expect(row.getByText('5,000,000원', { exact: true })).toBeVisible()
  await expect(row.getByText('2026-11-21 0시부터 한도 없음')).toBeVisible()
  await row.getByRole('button', { name: '늘리기 취소' }).click()
  await expect(row.getByText(/0시부터/)).toHaveCount(0)
})

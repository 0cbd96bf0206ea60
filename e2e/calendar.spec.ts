import { NOW } from './fixture/people.ts'
import { expect, settled, take, test } from './test.ts'

// Days that are over cannot be corrected: where replies are made up, the page has their day, too.
test.beforeEach(({ page, site }) => (site.fixture ? page.clock.setFixedTime(NOW) : undefined))

test(
  'an administrator gives a day hours of its own, and takes it back',
  { tag: '@fixture' },
  async ({ page, enter }) => {
    await enter('admin', '/user/admin/calendar')
    await settled(page)
    const days = page.getByRole('region', { name: '보통과 다른 날' }).getByRole('listitem')
    await expect(days.filter({ hasText: '2026-12-25' })).toContainText('휴장')
    await expect(days.filter({ hasText: '2026-12-31' })).toContainText('증권사가 알려 준 날')
    await take(page, ['저장'])
    await expect(page.getByText('날짜를 골라 주세요.')).toBeVisible()
    await page.getByLabel('날짜').fill('2027-01-09')
    await take(page, ['저장'])
    await expect(page.getByText('토요일과 일요일은 언제나 휴장이라 고칠 수 없습니다.')).toBeVisible()
    await page.getByLabel('날짜').fill('2027-01-11')
    await take(page, ['시각 정하기'])
    await page.getByLabel('닫는 시각').fill('16:30')
    await take(page, ['저장'])
    await expect(page.getByRole('alertdialog')).toContainText('done')
    await take(page, ['확인'])
    const own = days.filter({ hasText: '2027-01-11' })
    await expect(own).toContainText('10:00~16:30, 프리마켓 없음')
    await expect(own).toContainText('고치지 않으면 보통(09:00~15:30)')
    await take(page, ['2027-01-11 고친 것 지우기'])
    await expect(page.getByRole('alertdialog')).toContainText('증권사가 알려 준 날을 다시 따릅니다.')
    await page.getByRole('alertdialog').getByRole('button', { name: '지우기' }).click()
    await expect(own).toHaveCount(0)
  },
)

test('a day is corrected from the list', { tag: '@fixture' }, async ({ page, enter }) => {
  await enter('admin', '/user/admin/calendar')
  await take(page, ['2027-01-04 고치기'])
  await expect(page.getByLabel('날짜')).toHaveValue('2027-01-04')
  await expect(page.getByLabel('날짜')).toBeFocused()
  await expect(page.getByLabel('날짜')).toBeInViewport()
  await expect(page.getByLabel('여는 시각')).toHaveValue('10:00')
})

test('a year whose days are missing is missed', { tag: '@fixture' }, async ({ page, enter, site }) => {
  const calendar = site.fixture?.state.calendar
  if (calendar !== undefined) calendar.missingYear = 2028
  await enter('admin', '/user/admin/calendar')
  await expect(page.getByText('2028년 휴장일이 아직 없습니다.')).toBeVisible()
  if (calendar !== undefined) calendar.missingYear = null
})

test('on a server whose exchange knows no hours the page says so', async ({ page, enter, site }) => {
  await enter('admin', '/user/admin/calendar')
  await settled(page)
  await expect(page.getByRole('region', { name: '하루 고치기' })).toBeVisible()
  const always = page.getByText('이 서버의 거래소는 늘 열려 있어')
  await expect(always).toHaveCount(site.fixture ? 0 : 1)
})

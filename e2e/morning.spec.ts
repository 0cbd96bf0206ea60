import type { Page } from '@playwright/test'
import type { Reply } from '@digger/contract'
import { demoCredentials } from '@digger/kis-sim'
import { joinAndAddStocks } from './may-add.ts'
import { atBothSizes } from './sizes.ts'
import { expect, go, settled, take, test } from './test.ts'
import { EAGER } from './eager.ts'

const itemOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Credentials that the pretend broker knows and no other test uses. */
const { appKey, appSecret, accountNumber, htsId } = demoCredentials(10)
const PERSON = { email: 'morning@example.com', password: 'digger-morning' }
const CODE = '017670'
/** Several shares at once, whenever the price falls a little. */
const SEVERAL = { ...EAGER, buyUnitPrice: 1_000_000 }

test(
  'somebody who begins: one share a buy, cautious limits, and a check that says when all is ready',
  { tag: '@own' },
  async ({ page }) => {
    const { request } = page
    await joinAndAddStocks(request, PERSON, { appKey, appSecret, accountNumber, htsId })
    await page.goto('/user/limits')
    await settled(page)
    const panel = page.getByRole('region', { name: '처음 며칠' })

    await test.step('the first days are turned on, and hold at once', async () => {
      await expect(panel.getByText('쓰지 않음')).toBeVisible()
      await take(page, ['처음 며칠 바꾸기'])
      await panel.getByRole('checkbox', { name: '한 번에 1주만 사기' }).check()
      await panel.getByLabel('하루에 쓸 금액').fill('2000000')
      await expect(panel.getByText('저장하면 바로 지켜집니다.')).toBeVisible()
      await take(page, ['저장'])
      await expect(panel.getByText('첫 5거래일, 한 번에 1주, 하루 2,000,000원까지')).toBeVisible()
      await expect(panel.getByText('첫 매수가 나가는 날부터 셉니다.')).toBeVisible()
    })
    await test.step('its next buy is of one share, and the card says why', async () => {
      const reply = await request.post(`/api/user/stock/${CODE}`, { data: SEVERAL })
      expect(reply.ok(), await reply.text()).toBe(true)
      const bought = async (): Promise<Reply<'trades'>> =>
        (await request.get(`/api/user/stock/${CODE}/trade?withOldTrade=true`)).json()
      await expect.poll(async () => (await bought()).length, { timeout: 90_000 }).toBeGreaterThan(0)
      expect(new Set((await bought()).map(({ buyCount }) => buyCount))).toEqual(new Set([1]))
      await go(page, `/user/stock/${CODE}/trade`)
      await expect(page.getByText('첫 5일 동안은 한 번에 1주만 삽니다.').first()).toBeVisible()
    })
    await test.step('letting go waits for the next day', async () => {
      await go(page, '/user/limits')
      await expect(panel.getByText(/에 시작해 오늘 1일째입니다/)).toBeVisible()
      await take(page, ['처음 며칠 바꾸기'])
      await panel.getByRole('checkbox', { name: '한 번에 1주만 사기' }).uncheck()
      await expect(panel.getByText(/하룻밤 뒤/)).toBeVisible()
      await take(page, ['저장'])
      await expect(panel.getByText(/0시부터 쓰지 않음/)).toBeVisible()
      await take(page, ['처음 며칠 풀기 취소'])
      await expect(panel.getByText(/0시부터/)).toHaveCount(0)
    })
    await test.step('limits of the account’s money are filled in, explained, and saved by the person only', async () => {
      await page.reload()
      await take(page, ['처음이라면 이렇게'])
      const form = panel.getByRole('form', { name: '처음이라면 이렇게' })
      await expect(form.getByText(/의 절반까지만 주식에 넣습니다/)).toBeVisible()
      await expect(page.getByText('한도 없음').first()).toBeVisible()
      const proposed = await form.getByLabel('계좌 보유 금액').inputValue()
      await take(page, ['이대로 저장'])
      await expect(form).toHaveCount(0)
      const row = itemOf(page, '계좌 보유 금액')
      await expect(row.getByText(new RegExp(`/ ${proposed}원$`))).toBeVisible()
    })
    await test.step('the morning check: ready, and it follows a line that goes and comes', async () => {
      await go(page, '/user/morning')
      await expect(page.getByText('자동으로 매매할 준비가 되었습니다.')).toBeVisible()
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
        '키',
        '체결 통보',
        '시각',
        '오늘의 장',
        '상한가·하한가',
        '거래소',
        '기준가',
        '장부와 잔고',
        '현금',
      ])
      await expect(itemOf(page, '현금').getByText(/원까지 살 수 있습니다/)).toBeVisible()
      await expect(itemOf(page, '체결 통보').getByText(/마지막 통보/)).toBeVisible()
      await request.delete('/api/user/socket')
      await expect(itemOf(page, '체결 통보').getByText('기다림')).toBeVisible()
      await expect(page.getByText('아직 기다리는 것이 있습니다.')).toBeVisible()
      await request.post('/api/user/socket')
      await expect(page.getByText('자동으로 매매할 준비가 되었습니다.')).toBeVisible()
    })
  },
)

test.describe('made up', { tag: '@fixture' }, () => {
  test('what is red leads to its stocks, and says what holds', async ({ page, enter }) => {
    await enter('user', '/user/morning')
    const limits = itemOf(page, '상한가·하한가')
    await atBothSizes(page, async () => {
      await expect(page.getByText('멈춘 것이 있습니다.')).toBeVisible()
      await expect(limits.getByText('멈춤', { exact: true })).toBeVisible()
    })
    await limits.getByRole('link', { name: '삼성전자' }).click()
    await expect(page).toHaveURL(/\/user\/stock\/005930\/trade$/)
  })

  test('is in the menu beside the day', async ({ page, enter }) => {
    await enter('user', '/user/money')
    await atBothSizes(page, async (isWide) => {
      if (!isWide) await page.getByRole('button', { name: '메뉴 열기' }).click()
      const menu = isWide ? page.getByRole('navigation') : page.getByRole('dialog', { name: '메뉴' })
      await menu.getByRole('link', { name: '아침 점검' }).click()
      await expect(page.getByRole('heading', { name: '아침 점검', exact: true })).toBeFocused()
      await go(page, '/user/money')
      await settled(page)
    })
  })

  test('wrong numbers of the first days are said before anything is sent', async ({ page, enter }) => {
    await enter('user', '/user/limits')
    const panel = page.getByRole('region', { name: '처음 며칠' })
    await take(page, ['처음 며칠 바꾸기'])
    await panel.getByLabel('며칠 동안').fill('다섯')
    let sent = 0
    await page.route('**/api/user/limits/first-days', (route) => {
      sent += 1
      return route.continue()
    })
    await take(page, ['저장'])
    await atBothSizes(page, () => expect(panel.getByText('날수와 금액은 정수로 넣어 주세요.')).toBeVisible())
    expect(sent).toBe(0)
    await panel.getByLabel('며칠 동안').fill('')
    await take(page, ['저장'])
    await atBothSizes(page, () => expect(panel.getByText(/0시부터 직접 풀 때까지/)).toBeVisible())
    expect(sent).toBe(1)
  })
})

import type { Page } from '@playwright/test'
import { demoCredentials } from '@digger/kis-sim'
import { joinAndAddStocks } from './may-add.ts'
import { BROKER_MS, expect, settled, take, test } from './test.ts'

const START = '점검 시작'
const group = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

test.describe('made up', { tag: '@fixture' }, () => {
  // Each size by another person: a check is had once a minute.
  for (const { size, who, width, height } of [
    { size: 'a phone', who: 'user', width: 390, height: 844 },
    { size: 'a desktop', who: 'admin', width: 1440, height: 900 },
  ] as const)
    test(`a check shows how far it is, then what differs, the worst first: ${size}`, async ({
      page,
      context,
      enter,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.setViewportSize({ width, height })
      await enter(who, '/user/check')
      await settled(page)

      await test.step('progress', async () => {
        await take(page, [START])
        await expect(page.getByText('점검하고 있습니다 (3/18) 일봉')).toBeVisible()
        await expect(page.getByRole('button', { name: START })).toBeDisabled()
        await expect(page.getByText('점검하고 있습니다 (11/18) 잔고와 예수금')).toBeVisible()
        await expect(page.getByText('마지막 점검 26-11-20 08:12:30')).toBeVisible()
        await expect(page.getByText(/점검하고 있습니다/)).toHaveCount(0)
      })
      await test.step('findings by how much they matter', async () => {
        await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
          '다릅니다 1',
          '알아 둘 것 1',
          '없는 것 1',
          '하지 않은 것 1',
          '맞습니다 1',
        ])
        await expect(group(page, '다릅니다')).toContainText('자동매매를 시작하기 전에 확인해 주세요.')
        await expect(group(page, '하지 않은 것')).toContainText('재는 동안 주문이 밀릴 수 있습니다.')
        await expect(group(page, '맞습니다').getByText('자세히')).toHaveCount(0)
      })
      await test.step('technical details unfold', async () => {
        const wrong = group(page, '다릅니다')
        const field = wrong.getByText('nrcvb_buy_qty', { exact: true })
        await expect(field).toBeHidden()
        await wrong.getByText('자세히').click()
        await expect(field).toBeVisible()
        await expect(wrong.getByText('0 이상의 정수')).toBeVisible()
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      })
      await test.step('the whole of it can be sent to whoever helps', async () => {
        await take(page, ['결과 복사'])
        await expect(page.getByRole('button', { name: '복사했습니다' })).toBeVisible()
        const copied = await page.evaluate<string>('navigator.clipboard.readText()')
        expect(copied).toContain('[다릅니다] 1')
        expect(copied).toContain('    항목: nrcvb_buy_qty')
        expect(copied.indexOf('[알아 둘 것]')).toBeGreaterThan(copied.indexOf('[다릅니다]'))
      })
      await test.step('another within the minute says when, and takes nothing away', async () => {
        await take(page, [START])
        const refusal = page.getByRole('alertdialog')
        await expect(refusal).toContainText('42초 뒤에 다시 눌러 주세요.')
        await refusal.getByRole('button').click()
        await expect(group(page, '다릅니다')).toBeVisible()
        await expect(page.getByRole('button', { name: START })).toBeEnabled()
      })
    })
})

/** Credentials that the pretend broker knows and no other test uses. */
const { appKey, appSecret, accountNumber, htsId } = demoCredentials(15)
const PERSON = { email: 'checker@example.com', password: 'digger-checker' }

test(
  'a running account is examined over its own connection, and nothing is ordered',
  { tag: '@own' },
  async ({ page, site: { market } }) => {
    test.setTimeout(4 * BROKER_MS)
    if (market !== null) {
      const credentials = { appKey, appSecret, accountNumber, htsId }
      const opened = await fetch(`${market}/accounts`, { method: 'POST', body: JSON.stringify({ credentials }) })
      expect(opened.ok, await opened.text()).toBe(true)
    }
    await joinAndAddStocks(page.request, PERSON, { appKey, appSecret, accountNumber, htsId })
    await page.goto('/user/check')
    await expect(page.getByText('아직 점검한 적이 없습니다')).toBeVisible()
    await take(page, [START])
    await expect(page.getByText(/점검하고 있습니다 \(\d+\/\d+\) \S+/)).toBeVisible()
    await expect(page.getByText(/^마지막 점검/)).toBeVisible({ timeout: 2 * BROKER_MS })
    await expect(group(page, '맞습니다').getByRole('listitem').first()).toBeVisible()
    await expect(group(page, '다릅니다')).toHaveCount(0)
    const leftOut = group(page, '하지 않은 것').getByRole('listitem')
    for (const check of ['접근 토큰', '호출 속도', '실시간 연결'])
      await expect(leftOut.filter({ has: page.getByText(check, { exact: true }) })).toHaveCount(1)
    if (market !== null) {
      const orders = await fetch(`${market}/orders?account=${accountNumber}`)
      expect(await orders.json()).toEqual([])
    }
    await take(page, [START])
    await expect(page.getByRole('alertdialog')).toContainText(/\d+초 뒤에 다시 눌러 주세요/)
  },
)

import type { Page } from '@playwright/test'
import { barriers, question } from './stopping.ts'
import { atBothSizes } from './sizes.ts'
import { expect, go, settled, take, test } from './test.ts'

const PATH = '/user/tokens'
const SECRET = /^digger_(?:read|stop)_[\w-]{43}$/
const made = (page: Page) => page.getByRole('region', { name: '만든 토큰' })
const rows = (page: Page) => made(page).getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('heading', { name, exact: true }) })
const nameField = (page: Page) => page.getByRole('textbox', { name: '이름', exact: true })
const secretField = (page: Page) => page.getByLabel('새 API 토큰')
const choice = (page: Page, of: string, name: string) =>
  page.getByRole('group', { name: of, exact: true }).getByRole('button', { name, exact: true })
const picture = async (page: Page, name: string) => {
  const size = (page.viewportSize()?.width ?? 0) < 1000 ? 'phone' : 'desktop'
  if (process.env['SHOTS']) await page.screenshot({ path: `shots/tokens/${size}/${name}.png`, fullPage: true })
}

/** Makes a token and returns its secret, which is shown on this page only. */
async function make(page: Page, name: string): Promise<string> {
  await nameField(page).fill(name)
  await take(page, ['만들기'])
  await expect(secretField(page)).toHaveValue(SECRET)
  return secretField(page).inputValue()
}

async function revoke(page: Page, name: string): Promise<void> {
  await row(page, name).getByRole('button', { name: '없애기' }).click()
  await question(page).getByRole('button', { name: '없애기' }).click()
  await expect(row(page, name)).toHaveCount(0)
}

/** As a program asks: without the browser's cookies. */
const asked = (page: Page, secret: string, path = '/api/user/balance'): Promise<number> =>
  page.evaluate(
    `fetch('${path}', { credentials: 'omit', headers: { authorization: 'Bearer ${secret}' } }).then(({ status }) => status)`,
  )

test.describe('made up', { tag: '@fixture' }, () => {
  test.beforeEach(({ site }) => site.fixture?.state.apiTokens.clear())
  test.afterEach(({ site }) => site.fixture?.state.apiTokens.clear())

  test('a token is made with what was chosen, shown once, and revoked when that is meant', async ({ page, enter }) => {
    await enter('user', PATH)
    await expect(rows(page)).toHaveCount(3)
    await expect(row(page, 'backup-script')).toContainText('기한 지남')
    await expect(row(page, '비상 멈춤 버튼')).toContainText('마지막으로 쓴 때없음')
    await atBothSizes(page, async () => {
      expect(await barriers(page)).toEqual([])
      // An address of IPv6 is longer than a phone is wide.
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      await picture(page, 'list')
    })

    await take(page, ['만들기'])
    await expect(page.getByText('어디에 쓰는 토큰인지 이름을 넣어 주세요.')).toBeVisible()
    await choice(page, '범위', '읽기와 멈춤').click()
    await expect(page.getByText('멈춤을 풀거나 주문을 낼 수는 없습니다.')).toBeVisible()
    await choice(page, '기간', '30일').click()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/token'))
    const secret = await make(page, ' 부엌 단추 ')
    expect((await sent).postDataJSON()).toEqual({ name: '부엌 단추', scope: 'stop', days: 30 })
    expect(secret).toMatch(/^digger_stop_/)
    await expect(secretField(page)).toBeFocused()
    await expect(row(page, '부엌 단추')).toContainText('읽기와 멈춤')
    await atBothSizes(page, async () => {
      expect(await barriers(page)).toEqual([])
      await picture(page, 'new')
    })

    await page.reload()
    await expect(rows(page)).toHaveCount(4)
    await expect(secretField(page)).toHaveCount(0)
    expect(await page.content()).not.toContain(secret)

    await row(page, '부엌 단추').getByRole('button', { name: '없애기' }).click()
    await atBothSizes(page, async () => {
      await picture(page, 'revoke')
      expect(await barriers(page)).toEqual([])
    })
    await question(page).getByRole('button', { name: '취소' }).click()
    await expect(rows(page)).toHaveCount(4)
    await revoke(page, '부엌 단추')
    await expect(rows(page)).toHaveCount(3)
  })

  test('a token is copied where the browser lets us, else it is selected for the person', async ({
    page,
    context,
    enter,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await enter('newbie', PATH)
    await expect(page.getByText('만든 토큰이 없습니다.')).toBeVisible()
    const secret = await make(page, 'script')
    await take(page, ['복사'])
    await expect(question(page)).toContainText('토큰을 복사했습니다.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await take(page, ['확인'])
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await take(page, ['복사'])
    await expect(question(page)).toContainText('복사하지 못했습니다.')
    await take(page, ['확인', '넣었습니다'])
    await expect(secretField(page)).toHaveCount(0)
    await expect(nameField(page)).toHaveValue('')
  })

  test('an administrator sees and revokes another’s, and makes none', async ({ page, enter }) => {
    await enter('admin', '/u1/tokens')
    await expect(page.getByText('토큰은 이 계좌의 주인만 만들 수 있습니다.')).toBeVisible()
    await expect(nameField(page)).toHaveCount(0)
    await revoke(page, 'backup-script')
    await expect(rows(page)).toHaveCount(2)
    await go(page, PATH)
    await settled(page)
    await expect(nameField(page)).toBeVisible()
  })
})

test('a token made on the page reads its account and nothing else, until it is revoked', async ({ page, enter }, {
  project,
}) => {
  const name = `program ${project.name}`
  await enter('user', PATH)
  const secret = await make(page, name)
  expect(await asked(page, secret)).toBe(200)
  expect(await asked(page, secret, '/api/user/token')).toBe(403)
  expect(await asked(page, `${secret.slice(0, -1)}_`)).toBe(401)
  await page.reload()
  await expect(row(page, name)).toContainText('127.0.0.1')
  await revoke(page, name)
  expect(await asked(page, secret)).toBe(401)
})

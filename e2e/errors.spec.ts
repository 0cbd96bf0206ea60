import type { Page } from '@playwright/test'
import { covers, expect, go, settled, take, test } from './test.ts'

const refuse = (page: Page, url: string, status: number, code: string, message = '서버가 한 말') =>
  page.route(url, (route) => route.fulfill({ status, json: { code, message } }))
const connect = (page: Page) => take(page, ['끊기', '끊기'])

test(
  'LOGIN_REQUIRED leads to the log-in, whatever asked',
  covers('LOGIN_REQUIRED redirects to /login'),
  async ({ page, enter }) => {
    await enter('user', '/user/socket')
    await settled(page)
    await page.route('**/api/user/socket', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 401, json: { code: 'LOGIN_REQUIRED', message: '로그인해 주세요.' } }),
    )
    await connect(page)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  },
)

test(
  'NEED_USERKEY of a press is quiet, every other code is an alert with the message',
  covers('NEED_USERKEY is ignored, any other code is an alert'),
  async ({ page, enter }) => {
    await enter('admin', '/user/admin/user')
    await settled(page)
    const check = async () => {
      await page.getByRole('button', { name: '사용자 메뉴', exact: true }).click()
      const answered = page.waitForResponse('**/balance/check')
      await page.getByRole('button', { name: '잔고 확인', exact: true }).click()
      await answered
      await settled(page)
    }
    await refuse(page, '**/balance/check', 409, 'NEED_USERKEY')
    await check()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.unroute('**/balance/check')
    await refuse(page, '**/balance/check', 409, 'STOPPED', '멈춤 상태입니다.')
    await check()
    await expect(page.getByRole('alertdialog')).toContainText('멈춤 상태입니다.')
  },
)

test(
  'one user whose data fails hides nobody else and raises no alert',
  covers('admin multi-user fetches ignore errors'),
  async ({ page, enter, site }) => {
    await enter('admin', '/user/password')
    await page.route(/\/api\/admin\/\d+\/user\/[^/]+\/gain/, (route) =>
      route.fulfill({ status: 500, json: { code: 'INTERNAL', message: '서버 문제' } }),
    )
    await page.goto('/user/admin/gain')
    await expect(page.getByText('자료를 가져오지 못했습니다.').first()).toBeVisible()
    await expect(page.getByRole('link', { name: site.user.email })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  },
)

test(
  'a dialog whose saving is refused stays open with what was typed',
  covers('dialog inputs are plain text without validation'),
  async ({ page, enter }) => {
    await enter('admin', '/user/stock?showOnlyWatch=false')
    await page.getByRole('article').first().getByRole('button').first().click()
    await page.getByRole('button', { name: '종목 수정' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('최고 매수가').fill('칠만')
    await dialog.getByRole('button', { name: '저장' }).click()
    await expect(dialog.getByText('원 단위의 정수로 넣어 주세요.')).toBeVisible()
    await expect(dialog.getByLabel('최고 매수가')).toHaveValue('칠만')
  },
)

test(
  'a badge changes only once it is saved',
  covers('flags toggle by admins, saved before the screen updates'),
  async ({ page, enter }) => {
    // In detail every stock has a card with its switches, held or not.
    await enter('admin', '/user/stock?showOnlyWatch=false&showDetail=true')
    await settled(page)
    await page.route('**/api/*/stock/*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message: '그 사이에 바뀌었습니다.' } })
        : route.continue(),
    )
    const badge = page.getByRole('article').first().getByRole('switch', { name: '자동 매수' })
    const before = await badge.getAttribute('aria-checked')
    await badge.click()
    await expect(page.getByRole('alertdialog')).toContainText('그 사이에 바뀌었습니다.')
    await expect(badge).toHaveAttribute('aria-checked', before ?? '')
  },
)

test(
  'empty fields of sign-up and of a new password are marked one by one',
  covers('login, signup and password fields must be non-empty: required'),
  async ({ page, enter }) => {
    await page.goto('/join')
    await page.getByRole('button', { name: 'JOIN' }).click()
    await expect(page.getByText('required')).toHaveCount(7)
    await page.getByLabel('이메일').fill('a@b.kr')
    await expect(page.getByText('required')).toHaveCount(6)
    await enter('user', '/user/password')
    await page.getByRole('button', { name: 'UPDATE' }).click()
    await expect(page.getByText('required')).toHaveCount(3)
  },
)

test(
  'signing up sends the form without the check and leads to the log-in',
  { tag: '@fixture', ...covers('join: fields, JOIN; success goes to /login', 'signup payload', 'POST /api/user/user') },
  async ({ page }) => {
    await page.goto('/join')
    const typed = { 이메일: 'a@b.kr', appKey: 'key', appSecret: 'secret', accountNumber: '12345678', 'HTS ID': 'hts' }
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text)
    await page.getByLabel('비밀번호', { exact: true }).fill('password-1')
    await page.getByLabel('비밀번호 확인').fill('password-1')
    const sent = page.waitForRequest('**/api/user/user')
    await page.getByRole('button', { name: 'JOIN' }).click()
    expect((await sent).postDataJSON()).toEqual({
      email: 'a@b.kr',
      password: 'password-1',
      appKey: 'key',
      appSecret: 'secret',
      accountNumber: '12345678',
      htsId: 'hts',
    })
    await expect(page).toHaveURL(/\/login$/)
  },
)

test(
  'force kis login goes along with the log-in',
  covers('login: fields, LOGIN, Enter, force kis login', 'login payload and reply', 'POST /api/login'),
  async ({ page, site }) => {
    await page.goto('/login')
    await page.getByLabel('이메일').fill(site.user.email)
    await page.getByLabel('비밀번호').fill(site.user.password)
    await page.getByLabel('force kis login').check()
    const sent = page.waitForRequest('**/api/login')
    await page.getByRole('button', { name: 'LOGIN' }).click()
    expect((await sent).postDataJSON()).toEqual({ ...site.user, forceKisLogin: true })
  },
)

test(
  'the progress overlay is there while a call runs, and goes with the last',
  covers(
    'a progress overlay while at least one task runs, counted, by setGlobalProgress',
    'overlay by the counter, sheet open or closed',
  ),
  async ({ page, enter }) => {
    await enter('user', '/user/password')
    await settled(page)
    const overlay = page.getByLabel('처리 중')
    const count = (change: number) =>
      page.evaluate(`window.dispatchEvent(new CustomEvent('setGlobalProgress', { detail: ${change} }))`)
    await count(1)
    await count(1)
    await expect(overlay).toBeVisible()
    await count(-1)
    await expect(overlay).toBeVisible()
    await count(-1)
    await expect(overlay).toHaveCount(0)
    // It comes by itself, with every call that nobody made quiet.
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/user/money?*', async (route) => {
      await answered.promise
      await route.continue()
    })
    await go(page, '/user/money')
    await expect(overlay).toBeVisible()
    answered.resolve()
    await expect(overlay).toHaveCount(0)
  },
)

test(
  'an administrator’s page is no page for a user, and the server refuses its calls',
  covers('/admin pages and calls are for admins', 'users see only their own data'),
  async ({ page, enter }) => {
    await enter('user', '/user/admin/user')
    await expect(page.getByText('찾으시는 화면이 없습니다')).toBeVisible()
    for (const path of ['/api/admin/8017/user', '/api/a1/balance']) {
      const reply = await page.request.get(path)
      expect(reply.status(), path).toBe(403)
    }
  },
)

test(
  'while the stops could not be read, one can stop all the same',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    await page.route('**/api/user/stop', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: '서버 문제' } })
        : route.continue(),
    )
    await enter('user', '/user/money')
    await page.getByRole('button', { name: '상태 모름, 멈추기' }).click()
    await page.getByRole('button', { name: '이 계좌 · 매수 멈춤', exact: true }).click()
    await expect(page.getByRole('button', { name: '매수 멈춤, 바꾸기' })).toBeVisible()
    expect(site.fixture?.state.stops.users.get('u1')).toBe('reduce')
    site.fixture?.state.stops.users.delete('u1')
  },
)

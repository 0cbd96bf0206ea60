import { covers, expect, test } from './test.ts'

test(
  'without a login every page leads to the login page',
  covers('LOGIN_REQUIRED redirects to /login'),
  async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  },
)

test(
  'a user logs in with Enter and lands on the balance',
  covers(
    '/ redirects to /user/balance',
    'the ordinary user after login goes to /',
    'login: fields, LOGIN, Enter, force kis login',
  ),
  async ({ page, site }) => {
    await page.goto('/login')
    await page.getByLabel('이메일').fill(site.user.email)
    await page.getByLabel('비밀번호').fill(site.user.password)
    await page.getByLabel('비밀번호').press('Enter')
    await expect(page).toHaveURL(/\/user\/balance$/)
    await expect(page.getByText('총자산')).toBeVisible()
  },
)

test('the log-in is there before any script, keeps what is typed meanwhile, and sends nothing by itself', async ({
  page,
  site,
}) => {
  const troubles: string[] = []
  page.on('console', (line) => line.type() === 'error' && troubles.push(line.text()))
  const late = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await late.promise
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('이메일').fill(site.user.email)
  await page.getByLabel('비밀번호').fill(site.user.password)
  await page.getByLabel('비밀번호').press('Enter')
  await page.getByLabel('force kis login').check()
  await expect(page).toHaveURL(/\/login$/)
  late.resolve()
  await expect(page.getByRole('main').getByText('시뮬레이터', { exact: true })).toBeVisible()
  const sent = page.waitForRequest('**/api/login')
  await page.getByRole('button', { name: 'LOGIN' }).click()
  expect((await sent).postDataJSON()).toEqual({ ...site.user, forceKisLogin: true })
  await expect(page).toHaveURL(/\/user\/balance$/)
  expect(troubles).toEqual([])
})

test(
  'an administrator lands on all users',
  covers(
    'admin home is /user/admin/user',
    'an admin goes to /user/admin/user, anyone else to /',
    'login payload and reply',
    'an admin login leads to the admin user page',
  ),
  async ({ page, site }) => {
    await page.goto('/login')
    await page.getByLabel('이메일').fill(site.admin.email)
    await page.getByLabel('비밀번호').fill(site.admin.password)
    await page.getByRole('button', { name: 'LOGIN' }).click()
    await expect(page).toHaveURL(/\/user\/admin\/user$/)
  },
)

test(
  'a wrong password shows the server’s message, an empty field is marked',
  covers('login, signup and password fields must be non-empty: required', 'login failure alerts the server’s message'),
  async ({ page, site }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'LOGIN' }).click()
    await expect(page.getByText('required')).toHaveCount(2)
    await page.getByLabel('이메일').fill(site.user.email)
    await page.getByLabel('비밀번호').fill('wrong password')
    await expect(page.getByText('required')).toHaveCount(0)
    await page.getByRole('button', { name: 'LOGIN' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('비밀번호가 맞지 않습니다')
    await expect(page).toHaveURL(/\/login$/)
  },
)

test(
  'a temporary password leads to the page where it is changed, and says until when it opens',
  { tag: '@fixture' },
  async ({ page, site }) => {
    const message = '로그인했습니다. 임시 비밀번호입니다. 2026-11-23 10:00까지 새 비밀번호로 바꿔 주세요.'
    await page.route('**/api/login', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, json: { ...(await reply.json()), temporaryPassword: true, message } })
    })
    await page.goto('/login')
    await page.getByLabel('이메일').fill(site.user.email)
    await page.getByLabel('비밀번호').fill(site.user.password)
    await page.getByRole('button', { name: 'LOGIN' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('11-23 10:00까지')
    await page.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL(/\/user\/password$/)
    await expect(page.getByLabel('새 비밀번호', { exact: true })).toBeVisible()
  },
)

test('log-in and sign-up say which broker this is, and are quiet where the server does not say', async ({ page }) => {
  for (const path of ['/login', '/join']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText('시뮬레이터', { exact: true })).toBeVisible()
  }
  await page.route('**/health', (route) => route.fulfill({ status: 503, json: { ok: false, env: 'real' } }))
  await page.goto('/login')
  await expect(page.getByText('실전투자')).toBeVisible()
  await page.route('**/health', (route) => route.abort())
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  await expect(page.getByText(/시뮬레이터|모의투자|실전투자/)).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test(
  'signing up asks for two equal passwords',
  covers('password and confirmation must match: check password!', 'check password! and need code'),
  async ({ page }) => {
    await page.goto('/join')
    for (const label of ['이메일', 'appKey', 'appSecret', 'accountNumber', 'HTS ID'])
      await page.getByLabel(label).fill('1')
    await page.getByLabel('비밀번호', { exact: true }).fill('password-1')
    await page.getByLabel('비밀번호 확인').fill('password-2')
    await page.getByRole('button', { name: 'JOIN' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('check password!')
  },
)

test(
  'a new password needs its check; the old one ends with a log-out',
  {
    tag: '@fixture',
    ...covers(
      'password: fields, UPDATE; then logged out',
      'password and confirmation must match: check password!',
      'check password! and need code',
    ),
  },
  async ({ page, enter }) => {
    await enter('user', '/user/password')
    await page.getByLabel('지금 비밀번호').fill('old password')
    await page.getByLabel('새 비밀번호', { exact: true }).fill('new password')
    await page.getByLabel('새 비밀번호 확인').fill('other')
    await page.getByRole('button', { name: 'UPDATE' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('check password!')
    await page.getByRole('button', { name: '확인' }).click()
    await page.getByLabel('새 비밀번호 확인').fill('new password')
    await page.getByRole('button', { name: 'UPDATE' }).click()
    await expect(page).toHaveURL(/\/login$/)
  },
)

test(
  'an administrator’s log-out has its own call',
  { tag: '@wide', ...covers('POST admin logout, then /') },
  async ({ page, enter, isMobile }) => {
    await enter('admin', '/user/admin/user')
    if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    const sent = page.waitForRequest(/\/api\/admin\/\d+\/logout$/)
    await page.getByRole('button', { name: '로그아웃' }).click()
    expect((await sent).method()).toBe('POST')
    await expect(page).toHaveURL(/\/login$/)
  },
)

test(
  'logging out leads to the login page and keeps nothing',
  {
    tag: '@wide',
    ...covers(
      'side menu: user section hidden for an admin on the word user, admin section, logout, password',
      'DELETE /api/login, then /',
    ),
  },
  async ({ page, enter, isMobile }) => {
    await enter('user', '/user/balance')
    if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    await page.getByRole('button', { name: '로그아웃' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/login$/)
  },
)

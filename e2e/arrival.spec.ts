import type { Page } from '@playwright/test'
import { APP_KEY as KEY, APP_SECRET as SECRET, fillJoin } from './join.ts'
import { expect, settled, take, test, type Login, type Step } from './test.ts'

const logIn = ({ email, password }: Login): Step[] => [['이메일', email], ['비밀번호', password], 'LOGIN']

/** Fills in the whole of the sign-up and sends it. */
async function join(page: Page, htsId: string): Promise<void> {
  await fillJoin(page, { accountNumber: '12345678-01', htsId })
  await take(page, ['JOIN'])
}

test.describe('before the log-in', { tag: '@fixture' }, () => {
  for (const [who, path, leads] of [
    ['user', '/user/gain?fromDate=20261101&toDate=20261130', /\/user\/gain\?fromDate=20261101&toDate=20261130$/],
    ['user', '/u1/stock/005930/trade', /\/u1\/stock\/005930\/trade$/],
    ['user', '/u2/gain', /\/user\/balance$/],
    ['user', '/user/admin/user', /\/user\/balance$/],
    ['admin', '/user/balance', /\/user\/admin\/user$/],
    ['admin', '/u1/gain', /\/u1\/gain$/],
  ] as const)
    test(`${who} who wanted ${path} comes there after the log-in, if it may be seen`, async ({ page, site }) => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/login$/)
      // It is not lost by a reload either.
      await page.reload()
      await take(page, logIn(site[who]))
      await expect(page).toHaveURL(leads)
    })

  test('the log-in says that it leads back', async ({ page }) => {
    await page.goto('/user/kis/ordered')
    await expect(page.getByText('로그인하면 보던 화면으로 돌아갑니다.')).toBeVisible()
    await page.getByRole('link', { name: '가입하기' }).click()
    await page.getByRole('link', { name: '로그인' }).click()
    await expect(page.getByText('정해 둔 조건대로 사고팝니다.')).toBeVisible()
  })

  test('a log-out is no deep link', async ({ page, enter, site }) => {
    await enter('user', '/user/gain')
    await settled(page)
    await take(page, ['더보기', '로그아웃'])
    await expect(page).toHaveURL(/\/login$/)
    await take(page, logIn(site.user))
    await expect(page).toHaveURL(/\/user\/balance$/)
  })

  test('force kis login is in a box that folds', async ({ page }) => {
    await page.goto('/login')
    const box = page.getByLabel('force kis login')
    await expect(box).toBeVisible()
    await page.getByText('시세가 멈췄을 때').click()
    await expect(box).toBeHidden()
    await page.getByText('시세가 멈췄을 때').click()
    await box.check()
    await expect(box).toBeChecked()
  })
})

test.describe('signing up', { tag: '@fixture' }, () => {
  test('both keys come from one paste, and the secret can be looked at', async ({ page }) => {
    await page.goto('/join')
    // The page is the client's from the moment it asks for the environment on.
    await expect(page.getByText('시뮬레이터', { exact: true })).toBeVisible()
    await page.getByLabel('appKey').focus()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', ${JSON.stringify(`APP Key\n${KEY}\nAPP Secret\n${SECRET}`)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)
    await expect(page.getByLabel('appKey')).toHaveValue(KEY)
    const secret = page.getByLabel('appSecret')
    await expect(secret).toHaveValue(SECRET)
    await expect(secret).toHaveAttribute('type', 'password')
    await page.getByRole('group', { name: '증권사 정보' }).getByRole('button', { name: '글자 보기' }).click()
    await expect(secret).toHaveAttribute('type', 'text')
    await secret.fill(SECRET.slice(4))
    await expect(secret).toHaveAccessibleDescription(/180자 가운데 176자입니다/)
  })

  test('every field of the broker says where it is found', async ({ page }) => {
    await page.goto('/join')
    for (const label of ['appKey', 'appSecret', 'accountNumber', 'HTS ID'])
      await expect(page.getByLabel(label), label).toHaveAccessibleDescription(/KIS Developers|appKey 바로|한국투자/)
  })

  test('a wrong HTS ID is said at its field, and one that nobody could check does not keep anybody out', async ({
    page,
  }) => {
    await join(page, 'nobody')
    await expect(page.getByLabel('HTS ID')).toHaveAccessibleDescription(/증권사가 모르는 아이디입니다/)
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await take(page, [['HTS ID', 'slow'], 'JOIN'])
    await expect(page.getByRole('alertdialog')).toContainText('HTS ID는 확인하지 못했습니다')
    await take(page, ['확인'])
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('가입했습니다.')).toBeVisible()
  })

  test('who has signed up is told so, and need not type the address again', async ({ page }) => {
    await join(page, 'sora')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('가입했습니다.')).toBeVisible()
    await expect(page.getByLabel('이메일')).toHaveValue('sora@example.com')
    await expect(page.getByLabel('비밀번호')).toHaveValue('')
  })
})

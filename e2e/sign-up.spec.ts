import { demoCredentials } from '@digger/kis-sim'
import { NOTHING_OWNED } from './pages.ts'
import { BROKER_MS, covers, expect, go, take, test } from './test.ts'

/** Credentials that the pretend broker knows and nobody of the demonstration uses. */
const SPARE = demoCredentials(5)

test(
  'somebody signs up, looks around, changes the password and comes back with it',
  {
    tag: '@own',
    ...covers(
      'join: fields, JOIN; success goes to /login',
      'password: fields, UPDATE; then logged out',
      'POST /api/user/user',
      'PUT /user',
    ),
  },
  async ({ page }) => {
    test.setTimeout(4 * BROKER_MS)
    const email = 'sora@example.com'
    const logIn = (password: string) => take(page, [['이메일', email], ['비밀번호', password], 'LOGIN'])
    const says = async (text: string) => {
      await expect(page.getByRole('alertdialog')).toContainText(text, { timeout: BROKER_MS })
      await take(page, ['확인'])
    }
    await page.goto('/join')
    await take(page, [
      ['이메일', email],
      ['비밀번호', 'first password'],
      ['비밀번호 확인', 'first password'],
      ['appKey', SPARE.appKey],
      ['appSecret', 'x'.repeat(SPARE.appSecret.length)],
      ['accountNumber', SPARE.accountNumber],
      ['HTS ID', SPARE.htsId],
      'JOIN',
    ])
    // The broker is asked at once, and its own message is shown; what was typed stays.
    await says('유효하지 않은 AppSecret입니다')
    await expect(page.getByLabel('appKey')).toHaveValue(SPARE.appKey)
    await take(page, [['appSecret', SPARE.appSecret], ['HTS ID', 'nobody'], 'JOIN'])
    await expect(page.getByLabel('HTS ID')).toHaveAccessibleDescription(/증권사가 모르는 아이디/, {
      timeout: BROKER_MS,
    })
    await take(page, [['HTS ID', SPARE.htsId], 'JOIN'])
    await expect(page).toHaveURL(/\/login$/, { timeout: BROKER_MS })
    await logIn('first password')
    await expect(page).toHaveURL(/\/user\/balance$/, { timeout: BROKER_MS })
    for (const [path, text] of NOTHING_OWNED) {
      await go(page, path)
      await expect(page.getByRole('main').getByText(text).first(), path).toBeVisible({ timeout: BROKER_MS })
    }
    await go(page, '/user/password')
    const change = (old: string) =>
      take(page, [
        ['지금 비밀번호', old],
        ['새 비밀번호', 'second password'],
        ['새 비밀번호 확인', 'second password'],
        'UPDATE',
      ])
    await change('not my password')
    await says('비밀번호')
    await change('first password')
    await expect(page).toHaveURL(/\/login$/)
    await logIn('first password')
    await says('비밀번호가 맞지 않습니다')
    await logIn('second password')
    await expect(page).toHaveURL(/\/user\/balance$/)
  },
)

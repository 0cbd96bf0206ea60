import { Secret, TOTP } from 'otpauth'
import type { Page } from '@playwright/test'
import { HALTED } from './stopping.ts'
import { atBothSizes } from './sizes.ts'
import { expect, settled, STOP, take, test, type Site } from './test.ts'

const STEP_UP_MS = 11 * 60_000
const question = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Passkeys are of a name: this machine's own where there is no other. */
const byName = (url: string): string => url.replace('127.0.0.1', 'localhost')

/** A phone's or laptop's own authenticator, whose person always agrees. */
async function giveAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function logIn(page: Page, { url, newbie }: Site): Promise<void> {
  await page.goto(`${byName(url)}/login`)
  await take(page, [['이메일', newbie.email], ['비밀번호', newbie.password], 'LOGIN'])
}

/** Elsewhere than on its page: a page that notices goes to the log-in by itself, and that leads back to it. */
async function logOut(page: Page, { url }: Site): Promise<void> {
  await page.goto('about:blank')
  const reply = await page.request.delete(`${byName(url)}/api/login`)
  expect(reply.ok()).toBe(true)
}

/** As an administrator, whose session the page has. */
async function newbieId(page: Page, { url, newbie }: Site): Promise<string> {
  const users = await page.request.get(`${byName(url)}/api/admin/8017/user`)
  const list: { userId: string; email: string }[] = await users.json()
  return list.find(({ email }) => email === newbie.email)?.userId ?? ''
}

/** Whatever became of the test: the next one logs in as this person by the password alone. */
async function removeFactors(page: Page, site: Site): Promise<void> {
  const login = { ...site.admin, forceKisLogin: false }
  await page.request.post(`${byName(site.url)}/api/login`, { data: login })
  const reset = await page.request.delete(
    `${byName(site.url)}/api/admin/8017/user/${await newbieId(page, site)}/factor`,
  )
  expect(reset.ok()).toBe(true)
  site.sessions.delete('newbie')
}

/** Confirms that the ten codes were seen; returns them. */
async function takeCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: '복구 코드 열 개' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allTextContents()
  await take(page, ['적어 두었습니다'])
  return codes
}

test.describe('a person who', () => {
  test.afterEach(({ page, site }) => removeFactors(page, site))

  test('makes a passkey logs in with it alone, beside the password, and by a code when it is lost', async ({
    page,
    site,
  }) => {
    await giveAuthenticator(page)
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    await take(page, ['패스키 더하기', ['이름', '시험 기기'], '확인'])
    const [code = ''] = await takeCodes(page)
    const passkeys = panel(page, '패스키')
    await expect(passkeys.getByRole('listitem')).toContainText('시험 기기')
    await expect(passkeys.getByRole('listitem')).toContainText('증권사 키를 엽니다')
    await logOut(page, site)

    await page.goto(`${byName(site.url)}/login`)
    await take(page, ['패스키로 로그인'])
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    await expect(panel(page, '로그인한 기기').getByRole('listitem').filter({ hasText: '이 기기' })).toContainText(
      '패스키',
    )
    await logOut(page, site)

    await logIn(page, site)
    await expect(question(page)).toContainText('비밀번호가 맞습니다.')
    await take(page, ['패스키로 확인'])
    await expect(page).toHaveURL(/balance$/)
    await logOut(page, site)

    await logIn(page, site)
    await take(page, ['복구 코드로 하기 (10개 남음)', ['복구 코드', 'aaaa-aaaa-aaaa'], '확인'])
    await expect(question(page)).toContainText('두 번째 인증이 맞지 않습니다.')
    await take(page, [['복구 코드', code.toUpperCase()], '확인'])
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    await expect(panel(page, '복구 코드')).toContainText('9개 남았습니다.')
    await take(page, ['시험 기기 없애기', '없애기'])
    await expect(panel(page, '복구 코드')).toHaveCount(0)
    await logOut(page, site)
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
  })

  test('connects an app is asked for its digits, each of which is good once', async ({ page, site }) => {
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    await take(page, ['인증 앱 연결'])
    await expect(page.getByRole('img', { name: '인증 앱으로 찍을 그림' })).toBeVisible()
    const link = await page.getByRole('link', { name: '앱으로 열기' }).getAttribute('href')
    const secret = new URL(link ?? '').searchParams.get('secret') ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const now = totp.generate()
    await take(page, [['앱에 보이는 숫자', now === '000000' ? '000001' : '000000'], '연결'])
    await expect(panel(page, '인증 앱')).toContainText('숫자가 맞지 않습니다.')
    await take(page, [['앱에 보이는 숫자', totp.generate()], '연결'])
    await expect(page.getByRole('dialog', { name: '복구 코드' })).toContainText('다른 기기의 로그인은 모두 끝냈습니다.')
    const codes = await takeCodes(page)
    expect(codes).toHaveLength(10)
    await logOut(page, site)

    await logIn(page, site)
    await take(page, [['인증 앱의 여섯 자리 숫자', now], '확인'])
    await expect(question(page)).toContainText('쓴 숫자는 다시 쓸 수 없습니다.')
    await take(page, [['인증 앱의 여섯 자리 숫자', totp.generate({ timestamp: Date.now() + 30_000 })], '확인'])
    await expect(page).toHaveURL(/balance$/)
  })

  test('sees where they are logged in, and ends one there', async ({ page, site, browser }) => {
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
    const elsewhere = await (await browser.newContext({ userAgent: 'Mozilla/5.0 (iPhone) Safari/605' })).newPage()
    await logIn(elsewhere, site)
    await expect(elsewhere).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    const phone = panel(page, '로그인한 기기').getByRole('listitem').filter({ hasText: 'Safari · iPhone' })
    await phone.getByRole('button', { name: /끝내기$/ }).click()
    await take(page, ['끝내기'])
    await expect(phone).toHaveCount(0)
    await elsewhere.goto(`${byName(site.url)}/user/balance`)
    await expect(elsewhere).toHaveURL(/\/login$/)
    await elsewhere.context().close()
  })

  test('ends all others at once, and an administrator ends the last', async ({ page, site, browser }) => {
    const open = async () => {
      const other = await (await browser.newContext()).newPage()
      await logIn(other, site)
      await expect(other).toHaveURL(/balance$/)
      return other
    }
    const isOut = async (other: Page) => {
      await other.goto(`${byName(site.url)}/user/balance`)
      await expect(other).toHaveURL(/\/login$/)
    }
    const others = [await open(), await open()]
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    const devices = panel(page, '로그인한 기기').getByRole('listitem')
    await expect(devices.nth(2)).toBeVisible()
    await take(page, ['다른 기기 모두 끝내기', '모두 끝내기'])
    await expect(devices).toHaveCount(1)
    for (const other of others) await isOut(other)

    const [admin, first] = others
    if (admin === undefined || first === undefined) throw new Error('two devices')
    await admin.goto(`${byName(site.url)}/login`)
    await take(admin, [['이메일', site.admin.email], ['비밀번호', site.admin.password], 'LOGIN'])
    await expect(admin).not.toHaveURL(/login$/)
    await admin.goto(`${byName(site.url)}/${await newbieId(admin, site)}/security`)
    await take(admin, ['모두 끝내기', '모두 끝내기'])
    await expect(panel(admin, '로그인한 기기')).toContainText('로그인한 기기가 없습니다')
    await isOut(page)
    for (const other of others) await other.context().close()
  })
})

test(
  'eleven minutes after the log-in the server asks who it is: by password, then by passkey, and a stop is let go by it too',
  { tag: '@everybody' },
  async ({ page, site }) => {
    await giveAuthenticator(page)
    await logIn(page, site)
    await expect(page).toHaveURL(/balance$/)
    await page.goto(`${byName(site.url)}/user/security`)
    await site.later(STEP_UP_MS)
    await take(page, ['패스키 더하기', ['이름', '시험 기기'], '확인'])
    await expect(question(page)).toContainText('본인 확인')
    await take(page, [['비밀번호', '틀린 것'], '확인'])
    await expect(question(page)).toContainText('맞지 않습니다.')
    await take(page, [['비밀번호', site.newbie.password], '확인'])
    await takeCodes(page)
    await expect(panel(page, '패스키').getByRole('listitem')).toContainText('시험 기기')

    // With a factor the password alone is not asked for.
    await site.later(STEP_UP_MS)
    await take(page, [STOP, '모두 취소하고 멈춤', '확인'])
    await take(page, ['멈춤 풀기', '다시 시작'])
    await expect(question(page)).toContainText('본인 확인')
    await expect(question(page).getByLabel('비밀번호')).toHaveCount(0)
    await take(page, ['취소'])
    await expect(page.getByRole('button', { name: HALTED })).toBeVisible()
    await take(page, ['멈춤 풀기', '다시 시작', '패스키로 확인'])
    await expect(page.getByRole('button', { name: HALTED })).toHaveCount(0)
  },
)

test.describe('made up', { tag: '@fixture' }, () => {
  test.afterEach(({ site }) => site.fixture?.state.security.old.clear())

  test('what may cost money asks who it is: a wrong password stays, the right one does what was pressed', async ({
    page,
    enter,
    site,
  }) => {
    site.fixture?.state.security.old.set('u1', { password: true, totp: false, codes: 0, passkey: null })
    await enter('user', '/user/security')
    await take(page, ['새로 만들기', '새로 만들기'])
    await expect(question(page)).toContainText('본인 확인')
    await take(page, ['확인'])
    await expect(question(page)).toContainText('넣어 주세요.')
    await take(page, [['비밀번호', '틀린 것'], '확인'])
    await expect(question(page)).toContainText('맞지 않습니다.')
    await take(page, [['비밀번호', site.user.password], '확인'])
    await atBothSizes(page, () => expect(page.getByRole('list', { name: '복구 코드 열 개' })).toBeVisible())
    await take(page, ['적어 두었습니다'])
    await atBothSizes(page, () => expect(panel(page, '복구 코드')).toContainText('10개 남았습니다.'))
  })

  test('given up, nothing is done and nothing is said', async ({ page, enter, site }) => {
    site.fixture?.state.security.old.set('u1', { password: false, totp: true, codes: 2, passkey: null })
    await enter('user', '/user/security')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await take(page, ['새로 만들기', '새로 만들기'])
    await atBothSizes(page, () => expect(page.getByLabel('인증 앱의 여섯 자리 숫자')).toBeFocused())
    await take(page, ['취소'])
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(sent).toEqual(['/api/user/factor/code'])
  })

  test('all other devices are ended at once; this one stays', async ({ page, enter }) => {
    await enter('user', '/user/security')
    const devices = panel(page, '로그인한 기기').getByRole('listitem')
    await atBothSizes(page, () => expect(devices).toHaveCount(3))
    await take(page, ['다른 기기 모두 끝내기', '모두 끝내기'])
    await atBothSizes(page, () => expect(devices).toHaveCount(1))
    await expect(devices).toContainText('이 기기')
    await settled(page)
  })

  test('an administrator sees another’s, can take all of it away, and makes none', async ({ page, enter }) => {
    await enter('admin', '/u1/security')
    await atBothSizes(page, async () => {
      await expect(panel(page, '두 번째 인증')).toContainText('패스키1개')
      await expect(page.getByRole('button', { name: '패스키 더하기' })).toHaveCount(0)
    })
    await take(page, ['두 번째 인증 없애기', '없애기'])
    await expect(panel(page, '두 번째 인증')).toContainText('패스키0개')
  })
})

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, go, settled, take, test } from './test.ts'

const PATH = '/user/notification'
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const channels = (page: Page) => region(page, '받는 곳').getByRole('list').first().getByRole('listitem')
const channel = (page: Page, name: string) =>
  channels(page).filter({ has: page.getByRole('heading', { name: new RegExp(`^${name}`) }) })
/** The choices of one kind, or of the quiet hours. */
const choice = (page: Page, of: string, name: string) =>
  page.getByRole('group', { name: of, exact: true }).getByRole('button', { name, exact: true })
/** The last change is there: what is shown at once may not have been sent yet. */
const saved = (page: Page) => page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.ok())

test('what somebody does not want to be told, and when nothing may make a sound, holds over a reload', async ({
  page,
  enter,
}) => {
  await enter('user', PATH)
  const [bought, sold] = [choice(page, '매수 체결', '끄기'), choice(page, '매도 체결', '소리 없이')]
  await expect(choice(page, '매수 체결', '켜기')).toHaveAttribute('aria-pressed', 'true')
  await bought.click()
  await sold.click()
  await expect(sold).toHaveAttribute('aria-pressed', 'true')
  await settled(page)
  await choice(page, '방해 금지 시간', '시각 정하기').click()
  await page.getByLabel('시작', { exact: true }).fill('23:30')
  await page.getByLabel('끝', { exact: true }).fill('23:30')
  await take(page, ['저장'])
  await expect(page.getByText('시작과 끝이 같습니다.')).toBeVisible()
  await page.getByLabel('끝', { exact: true }).fill('06:15')
  await take(page, ['저장'])
  await expect(page.getByText('저장했습니다.')).toBeVisible()

  await page.reload()
  await expect(bought).toHaveAttribute('aria-pressed', 'true')
  await expect(sold).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('시작', { exact: true })).toHaveValue('23:30')
  await expect(page.getByLabel('끝', { exact: true })).toHaveValue('06:15')

  await choice(page, '방해 금지 시간', '없음').click()
  await expect(page.getByText('저장했습니다.')).toBeVisible()
  for (const kind of ['매수 체결', '매도 체결']) {
    const done = saved(page)
    await choice(page, kind, '켜기').click()
    await done
  }
  await page.reload()
  await expect(bought).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByLabel('시작', { exact: true })).toHaveCount(0)
})

test('a webhook is added, its address never shown again, changed and removed', async ({ page, enter }) => {
  await enter('newbie', PATH)
  await expect(page.getByText('알림을 받을 곳이 없습니다')).toBeVisible()
  // What this server cannot do is no secret.
  await expect(page.getByText('이 서버에는 텔레그램 봇이 없습니다.')).toBeVisible()
  await expect(page.getByText('이 서버는 이메일을 보내지 못합니다.')).toBeVisible()
  await take(page, ['웹훅 더하기'])
  const address = page.getByLabel('웹훅 주소')
  await expect(address).toBeFocused()
  await address.fill('hooks.digger.invalid')
  await take(page, ['더하기'])
  await expect(page.getByText('주소는 https://로 시작하게 적어 주세요.')).toBeVisible()
  // An address that the server refuses stays as it was typed.
  await address.fill('https://127.0.0.1/secret')
  await take(page, ['더하기'])
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await expect(address).toHaveValue('https://127.0.0.1/secret')
  await address.fill('https://hooks.digger.invalid/secret')
  await choice(page, '보내는 모양', 'Slack').click()
  await take(page, ['더하기'])

  const hook = channel(page, 'hooks.digger.invalid')
  await expect(hook).toBeVisible()
  await expect(address).toHaveCount(0)
  await expect(page.getByText('알림을 받을 곳이 없습니다')).toHaveCount(0)
  expect(await page.content()).not.toContain('/secret')
  for (const [name, on] of [
    ['금액 보이기', true],
    ['켜기', true],
  ] as const) {
    const box = hook.getByRole('checkbox', { name })
    await expect(box).toBeChecked({ checked: on })
    const done = saved(page)
    await box.click()
    await done
  }
  await page.reload()
  for (const name of ['금액 보이기', '켜기']) await expect(hook.getByRole('checkbox', { name })).not.toBeChecked()
  await take(page, ['시험 알림 보내기'])
  await expect(page.getByRole('alertdialog')).toContainText('켜져 있는 받는 곳이 없습니다.')
  await take(page, ['확인', 'hooks.digger.invalid 지우기'])
  await expect(page.getByRole('alertdialog')).toContainText('이곳으로는 더 알리지 않습니다.')
  await take(page, ['취소'])
  await expect(hook).toBeVisible()
  await take(page, ['hooks.digger.invalid 지우기', '지우기'])
  await expect(page.getByText('알림을 받을 곳이 없습니다')).toBeVisible()
  // The log-in of this very test came from a browser that nobody knew.
  await expect(page.getByText('처음 보는 기기에서 로그인했습니다').first()).toBeVisible()
})

test.describe('made up', { tag: '@fixture' }, () => {
  test('a test says where it arrived, and where not', async ({ page, enter, site }) => {
    await enter('user', PATH)
    const outcome = region(page, '받는 곳').getByRole('status')
    await take(page, ['시험 알림 보내기'])
    await expect(outcome).toContainText('크롬 (안드로이드) 기다림')
    await expect(outcome).toContainText('텔레그램 민지 기다림')
    site.fixture?.state.notifications.deliver('u1')
    await expect(outcome).toContainText('크롬 (안드로이드) 보냄')
    await expect(outcome).not.toContainText('기다림')
    const newest = region(page, '지난 알림').getByRole('listitem').first()
    await expect(newest).toContainText(/시험 알림.*텔레그램 민지 보냄/s)
  })

  test('what somebody did not want to be told is in the list, and each leads to its stock', async ({ page, enter }) => {
    await enter('user', PATH)
    const list = region(page, '지난 알림')
    await expect(list.getByRole('listitem').filter({ hasText: 'JTC' })).toContainText('알리지 않음')
    await list.getByRole('link', { name: '삼성전자 3주를 팔았습니다' }).click()
    await expect(page).toHaveURL(/\/user\/stock\/005930\/trade$/)
  })

  test('a chat is linked by a code, and appears by itself', async ({ page, enter, site }) => {
    await enter('newbie', PATH)
    await take(page, ['텔레그램 잇기'])
    await expect(page.getByText('K7PXM2QWAH', { exact: true })).toBeVisible()
    await expect(page.getByText(/남은 시간 (10:00|9:\d\d)/)).toBeVisible()
    const link = page.getByRole('link', { name: '텔레그램에서 열기' })
    await expect(link).toHaveAttribute('href', 'https://t.me/digger_alarm_bot?start=K7PXM2QWAH')
    const setups = site.fixture?.state.notifications
    const added = setups?.addChannel('u3', 'telegram', '텔레그램 새싹').channels.at(-1)
    await expect(channel(page, '텔레그램 새싹')).toBeVisible()
    await expect(link).toHaveCount(0)
    await take(page, ['이메일 더하기'])
    await expect(channel(page, 'newbie@example.com')).toBeVisible()
    await expect(page.getByRole('button', { name: '이메일 더하기' })).toHaveCount(0)
    for (const name of ['텔레그램 새싹', 'newbie@example.com']) await take(page, [`${name} 지우기`, '지우기'])
    await expect(page.getByText('알림을 받을 곳이 없습니다')).toBeVisible()
    expect(added?.on).toBe(true)
  })

  test('what cannot be saved is said, and nothing typed is lost', async ({ page, enter }) => {
    await enter('user', PATH)
    await settled(page)
    await page.route('**/notification/setup', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { code: 'BUSY', message: '서버가 바쁩니다. 잠시 뒤 다시 해 주세요.' } })
        : route.fallback(),
    )
    await choice(page, '방해 금지 시간', '시각 정하기').click()
    await page.getByLabel('시작', { exact: true }).fill('21:10')
    await take(page, ['저장'])
    await expect(page.getByRole('alertdialog')).toContainText('서버가 바쁩니다.')
    await take(page, ['확인'])
    await expect(page.getByLabel('시작', { exact: true })).toHaveValue('21:10')
    await choice(page, '매수 체결', '끄기').click()
    await expect(page.getByRole('alertdialog')).toContainText('서버가 바쁩니다.')
    await take(page, ['확인'])
    // What is shown is what the server does.
    await expect(choice(page, '매수 체결', '켜기')).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByLabel('시작', { exact: true })).toHaveValue('21:10')
    await page.unroute('**/notification/setup')
    await take(page, ['저장'])
    await expect(page.getByText('저장했습니다.')).toBeVisible()
  })

  test('kinds about the server are for administrators', async ({ page, enter }) => {
    await enter('admin', PATH)
    await expect(choice(page, '서버 멈춤', '켜기')).toBeVisible()
    // On another's page: the kinds of that person, and no device of the administrator.
    await go(page, '/u3/notification')
    await expect(page.getByText('다른 사람의 기기는 그 사람이 자기 기기에서 더해야 합니다.')).toBeVisible()
    await expect(choice(page, '매수 체결', '켜기')).toBeVisible()
    await expect(choice(page, '서버 멈춤', '켜기')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '이 기기에서 알림 받기' })).toHaveCount(0)
  })

  test('the forms that open are accessible and no wider than a small screen', async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enter('newbie', PATH)
    await take(page, ['텔레그램 잇기', '웹훅 더하기', '시각 정하기'])
    await expect(page.getByText('K7PXM2QWAH', { exact: true })).toBeVisible()
    await page.getByLabel('웹훅 주소').fill('nonsense')
    await take(page, ['더하기'])
    await expect(page.getByText('주소는 https://로 시작하게 적어 주세요.')).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    // Every shape is there to be pressed, not only those that fit beside each other.
    await expect(choice(page, '보내는 모양', 'Discord')).toBeInViewport({ ratio: 1 })
  })
})

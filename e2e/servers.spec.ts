import { expect, take, test } from './test.ts'

const PAGE = '/user/admin/server'

test.describe('the servers', { tag: '@fixture' }, () => {
  test.beforeEach(({ site }) => site.fixture?.state.workers.reset())

  test('a worker is drained, watched, and takes accounts again', async ({ page, enter, site }) => {
    const workers = site.fixture?.state.workers
    await enter('admin', PAGE)
    const first = page.getByRole('article', { name: '워커 4be1c07a' })
    await expect(first).toContainText('일하는 중')
    await expect(first).toContainText('131개')
    await expect(page.getByRole('article', { name: '워커 09aa51fe' })).toContainText('응답 없음')
    await expect(page.getByRole('article', { name: '워커 09aa51fe' }).getByRole('button')).toHaveCount(0)

    await first.getByRole('button', { name: '비우기' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('계좌 묶음 131개')
    await take(page, ['취소'])
    expect(workers?.workers.map(({ draining }) => draining)).toEqual([false, false, false])
    await first.getByRole('button', { name: '비우기' }).click()
    await take(page, ['비우기'])
    await expect(first).toContainText('비우는 중')
    // Nobody is left for the other one's accounts.
    const second = page.getByRole('article', { name: '워커 d20f93e6' })
    await expect(second.getByRole('button', { name: '비우기' })).toBeDisabled()

    workers?.move()
    await expect(first).toContainText('비었음')
    await expect(second).toContainText('256개')
    const moved = page.getByRole('region', { name: '옮긴 기록' }).getByRole('listitem').first()
    await expect(moved).toContainText('묶음 131개')
    await expect(moved).toContainText('앞 워커가 내려놓았습니다')
    await first.getByRole('button', { name: '다시 맡기기' }).click()
    await take(page, ['다시 맡기기'])
    await expect(first).toContainText('일하는 중')
  })

  test('what the server refuses is told, and changes nothing', async ({ page, enter, site }) => {
    const workers = site.fixture?.state.workers
    await enter('admin', PAGE)
    await page.getByRole('article', { name: '워커 d20f93e6' }).getByRole('button', { name: '비우기' }).click()
    if (workers) workers.workers = workers.workers.map((one) => ({ ...one, alive: false }))
    await take(page, ['비우기'])
    await expect(page.getByRole('alertdialog')).toContainText('그런 워커가 없거나 응답하지 않습니다.')
  })

  test('accounts that nobody has are a warning as long as they are', async ({ page, enter, site }) => {
    const workers = site.fixture?.state.workers
    if (workers) workers.unowned = 44
    await enter('admin', PAGE)
    const warning = page.getByText('맡은 워커가 없는 계좌 묶음이 44개 있습니다.')
    await expect(warning).toBeVisible()
    if (workers) workers.unowned = 0
    await expect(warning).toHaveCount(0)
  })

  test('one server says that it is the only one', async ({ page, enter, site }) => {
    const workers = site.fixture?.state.workers
    if (workers) workers.role = 'all'
    await enter('admin', PAGE)
    await expect(page.getByText('서버 한 대가 모든 계좌를 맡고 있습니다.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: /비우기|맡기기/ })).toHaveCount(0)
    workers?.reset()
  })

  test('the history of prices says how far it is, what is read, and what keeps it', async ({ page, enter }) => {
    await enter('admin', PAGE)
    const panel = page.getByRole('region', { name: '지난 시세' })
    await expect(panel.getByRole('progressbar', { name: '일봉 10년을 다 모은 종목' })).toHaveAttribute('value', '18')
    await expect(panel).toContainText('분봉 60일을 다 모은 종목 5 / 24')
    await expect(panel).toContainText('삼성전자 분봉')
    await expect(panel.getByRole('list', { name: '모으지 못한 까닭' })).toContainText('10분 뒤 다시 해 봅니다. (2종목)')
  })

  test('the history that cannot be read is no reason to show no servers', async ({ page, enter }) => {
    await page.route(/\/api\/admin\/\d+\/history$/, (route) => route.fulfill({ status: 500, body: '{}' }))
    await enter('admin', PAGE)
    await expect(page.getByRole('region', { name: '지난 시세' })).toContainText('불러오지 못했습니다')
    await expect(page.getByRole('article', { name: '워커 4be1c07a' })).toBeVisible()
  })

  test('without an answer for some polls the page says how old it is', async ({ page, enter }) => {
    await page.clock.install()
    await enter('admin', PAGE)
    await expect(page.getByRole('article', { name: '워커 4be1c07a' })).toBeVisible()
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/admin\/\d+\/server$/, async (route) => {
      await held.promise
      await route.continue()
    })
    const late = page.getByText(/\d\d:\d\d:\d\d 기준입니다/)
    await page.clock.runFor(15_000)
    await expect(late).toBeVisible()
    await expect(page.getByRole('article', { name: '워커 4be1c07a' })).toBeVisible()
    held.resolve()
    await expect(late).toHaveCount(0)
  })

  test('the menu of an administrator leads to it', async ({ page, enter, isMobile }) => {
    await enter('admin', '/user/admin/job')
    if (isMobile) await page.getByRole('button', { name: '메뉴 열기' }).click()
    await page.getByRole('link', { name: '서버', exact: true }).click()
    await expect(page).toHaveURL(/\/user\/admin\/server$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('서버')
  })
})

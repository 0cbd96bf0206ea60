import { expect, take, test } from './test.ts'

const PAGE = '/user/admin/job'

test(
  'a job is previewed, begun, watched, found again and stopped',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const jobs = site.fixture?.state.jobs
    jobs?.clear()
    if (jobs) jobs.more = Array.from({ length: 8 }, (_, n) => ({ userId: `m${n}`, email: `m${n}@example.com` }))
    await enter('admin', PAGE)
    await expect(page.getByText('아직 한 작업이 없습니다.')).toBeVisible()
    await take(page, ['매도 모두 걸기'])
    const preview = page.getByRole('region', { name: '매도 모두 걸기 미리 보기' })
    await expect(preview).toContainText('사용자 3명, 보유 종목 12개')
    await expect(preview).toContainText('키가 없어 하지 못할 사용자')
    expect(jobs?.list()).toEqual([])

    await take(page, ['12명에게 시작'])
    const job = page.getByRole('region', { name: '작업 1' })
    await expect(job).toContainText('진행 중')
    jobs?.workOff(1, 2)
    await expect(job.getByRole('progressbar', { name: '매도' })).toHaveAttribute('value', '2')
    await expect(job.getByRole('listitem').first()).toContainText('junho@example.com')
    await expect(job.getByRole('listitem').first()).toContainText('사용자 키가 열려 있지 않습니다.')

    // Nobody has its number any more: it is found by being the one that goes on.
    await page.goto(PAGE)
    await expect(job).toContainText('하는 중 4명')
    await page.goto('/user/admin/user')
    await expect(job).toContainText('하는 중 4명')
    await take(page, ['멈추기', '멈추기'])
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(job).toContainText('멈추는 중')
    jobs?.workOff(1, 4)
    await page.goto(`${PAGE}?job=1`)
    await expect(job).toContainText('하지 않음 6명')
    await take(page, [/만 다시 하기$/])
    await expect(page.getByRole('region', { name: '작업 2' })).toContainText('진행 중')
    await expect(page.getByRole('region', { name: '최근 작업' }).getByRole('listitem')).toHaveCount(2)
    jobs?.clear()
  },
)

test(
  'a second job of a kind is not begun while the first goes on',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const jobs = site.fixture?.state.jobs
    jobs?.clear()
    jobs?.start('check', 'admin@example.com', () => true)
    await enter('admin', `${PAGE}?kind=check`)
    await expect(page.getByText('같은 작업이 진행되고 있습니다.')).toBeVisible()
    await expect(page.getByRole('button', { name: '4명에게 시작' })).toBeDisabled()
    jobs?.clear()
  },
)

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { addDays, kstDay, yearRange } from '@digger/core'
import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'
import readXlsxFile from 'read-excel-file/node'
import { expect, settled, test } from './test.ts'

/** Picks a row of the page's menu. */
async function choose(page: Page, item: string | RegExp): Promise<void> {
  await settled(page)
  await page.getByRole('main').getByRole('button', { name: /메뉴$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: item }).click()
}

/** What a browser saves after a row of the menu, with its name. */
async function saved(page: Page, item: string | RegExp): Promise<{ name: string; content: Buffer }> {
  const saving = page.waitForEvent('download')
  await choose(page, item)
  const download = await saving
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}
const rowsIn = (content: Buffer): Record<string, string>[] =>
  parse(content, { bom: true, columns: true, record_delimiter: '\r\n' })

interface GainDay {
  readonly date: string
  readonly gain: { readonly gainAmount: number; readonly netGainAmount: number }
}
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** Every place with a past, what is chosen there, and the name and a heading of what comes. */
const TABLES: readonly [path: string, item: string, name: RegExp, heading: string][] = [
  ['/user/stock/005930/trade', '매매 내보내기(CSV)', /^디거_매매_005930_[\d-]+\.csv$/, '산 시각'],
  ['/user/kis/order', '주문 내보내기(CSV)', /^디거_주문_[\d-]+\.csv$/, '주문번호'],
  ['/user/kis/ordered', '주문 내보내기(CSV)', /^디거_주문_[\d_-]+\.csv$/, '이유'],
  ['/user/gain', '판 매매 내보내기(CSV)', /^디거_매매_[\d_-]+\.csv$/, '순손익'],
  ['/user/money', '자산 내보내기(CSV)', /^디거_자산_[\d_-]+\.csv$/, '예수금'],
  ['/user/audit', '기록 내보내기(CSV)', /^디거_감사기록_[\d-]+\.csv$/, '무엇을'],
]

test('a person saves every table from the page that shows it', async ({ page, enter }) => {
  await enter('user', '/user/password')
  for (const [path, item, name, heading] of TABLES) {
    await page.goto(path)
    const file = await saved(page, item)
    expect([path, file.name]).toEqual([path, expect.stringMatching(name)])
    expect(file.content.toString()).toContain(heading)
    await expect(page, path).toHaveURL(new RegExp(path))
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
})

test('the gain that is saved is the gain of the days that are shown, to the won', async ({ page, enter }) => {
  // It trades on meanwhile: days that are over do not change.
  const yesterday = addDays(kstDay(Date.now()), -1)
  const { from } = yearRange(yesterday)
  const year = from.slice(0, 4)
  const range = `fromDate=${from}&toDate=${yesterday}`
  await enter('user', `/user/gain?${range}`)
  const rows = rowsIn((await saved(page, '손익 내보내기(CSV)')).content)
  const days: GainDay[] = await (await page.request.get(`/api/user/balance/gain?${range}`)).json()
  expect(rows.length).toBeGreaterThan(0)
  const net = sum(days.map(({ gain }) => gain.netGainAmount))
  expect(sum(rows.map((row) => Number(row['손익'])))).toBe(sum(days.map(({ gain }) => gain.gainAmount)))
  expect(sum(rows.map((row) => Number(row['순손익'])))).toBe(net)

  const { name, content } = await saved(page, `${year}년 정산 내려받기(엑셀)`)
  expect(name).toBe(`디거_${year}년_정산.xlsx`)
  const sheets = await readXlsxFile(content)
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['요약', '실현손익', '종목별', '증권사 대조'])
  const [headings = [], ...lots] = sheets[1]?.data ?? []
  const [soldAt, netAt] = [headings.indexOf('판 시각'), headings.indexOf('순손익')]
  const before = lots.filter((lot) => String(lot[soldAt]).slice(0, 10).replaceAll('-', '') <= yesterday)
  expect(sum(before.map((lot) => Number(lot[netAt])))).toBe(net)
  const [months = [], ...sums] = sheets[0]?.data ?? []
  const all = sums.find(([month]) => month === '합계') ?? []
  expect(all[months.indexOf('순손익')]).toBe(sum(lots.map((lot) => Number(lot[netAt]))))
  // What the broker was asked it has answered.
  expect(sheets[3]?.data.length).toBeGreaterThan(2)
  expect(JSON.stringify(sheets[3]?.data)).not.toContain('견주지 못했습니다')
})

test('the menu with the files is accessible in both colours', async ({ page, enter }) => {
  await enter('user', '/user/gain')
  await settled(page)
  await page.getByRole('button', { name: '실현 손익 메뉴' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').last()).toContainText('정산 내려받기(엑셀)')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id }) => `${colorScheme} ${id}`)).toEqual([])
  }
})

const FILE = '**/api/user/export/**'
const csv = { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="digger-gain.csv"' } }

test.describe('a file', { tag: '@fixture' }, () => {
  test('that takes its time shows that it is being made, and is saved once', async ({ page, enter }) => {
    const made = Promise.withResolvers<void>()
    await page.route(FILE, async (route) => {
      await made.promise
      await route.fulfill({ ...csv, body: '\uFEFF손익\r\n-5\r\n' })
    })
    await enter('user', '/user/gain')
    const saving = page.waitForEvent('download')
    await choose(page, '손익 내보내기(CSV)')
    await expect(page.getByLabel('처리 중')).toBeVisible()
    made.resolve()
    const download = await saving
    expect(download.suggestedFilename()).toBe('digger-gain.csv')
    expect(rowsIn(await readFile(await download.path()))).toEqual([{ 손익: '-5' }])
    await expect(page.getByLabel('처리 중')).toHaveCount(0)
  })

  test('that is refused says why, accessibly, and the page stays', async ({ page, enter }) => {
    const message = '이미 파일 2개를 만들고 있습니다. 다 내려받은 뒤에 다시 해 주세요.'
    await page.route(FILE, (route) => route.fulfill({ status: 429, json: { code: 'BUSY', message } }))
    await enter('user', '/user/money?fromDate=20261101&toDate=20261130')
    await choose(page, '자산 내보내기(CSV)')
    await expect(page.getByRole('alertdialog')).toContainText(message)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL(/\/user\/money/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('자산 내역')
  })

  test('that never comes says that there is no connection', async ({ page, enter }) => {
    await page.route(FILE, (route) => route.abort())
    await enter('user', '/user/audit')
    await choose(page, '기록 내보내기(CSV)')
    await expect(page.getByRole('alertdialog')).toContainText('서버에 연결할 수 없습니다.')
  })

  test('of a session that has ended leads to the log-in', async ({ page, enter }) => {
    const json = { code: 'LOGIN_REQUIRED', message: '로그인해 주세요.' }
    await page.route(FILE, (route) => route.fulfill({ status: 401, json }))
    await enter('user', '/user/gain')
    await choose(page, /정산 내려받기/)
    await expect(page).toHaveURL(/\/login$/)
  })
})

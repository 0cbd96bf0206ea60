import type { Locator, Page } from '@playwright/test'
import { covers, expect, go, settled, test } from './test.ts'

/** In detail every stock has a card of its own, held or not. */
const EVERY_STOCK = '/user/stock?showOnlyWatch=false&showDetail=true'

/** By its name: while it trades, another one may come first. */
async function firstStock(page: Page): Promise<Locator> {
  const name = await page.getByRole('article').first().getAttribute('aria-label')
  return page.getByRole('article', { name: name ?? '', exact: true })
}

test(
  'what is shown is in the address: toggles change it, and it survives a reload',
  covers(
    'picking runs the callback and closes',
    'balance menu toggles saved gain and details',
    'views switch by query parameters',
  ),
  async ({ page, enter }) => {
    await enter('user', '/user/balance')
    const card = page.getByRole('article').first()
    await expect(card.getByText('누적', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: '잔고 메뉴' }).click()
    await page.getByRole('button', { name: '누적 손익 빼고 보기' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/withSavedGain=false/)
    await expect(card.getByText('누적', { exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: '잔고 메뉴' }).click()
    await page.getByRole('button', { name: '자세히 보기' }).click()
    await expect(page).toHaveURL(/withSavedGain=false&showDetail=true/)
    await page.reload()
    await expect(card.getByText('REC')).toBeVisible()
    await page.goBack()
    await expect(card.getByText('REC')).toHaveCount(0)
  },
)

test(
  'a user’s card has one item, no switches, and leads to the trades',
  covers('a card opens a menu; non-admin: only trade', 'card extras and badge toggles are for admins'),
  async ({ page, enter }) => {
    await enter('user', '/user/stock')
    const card = page.getByRole('article').first()
    await expect(card.getByRole('switch')).toHaveCount(0)
    await card.getByRole('button').first().click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('listitem')).toHaveCount(1)
    await sheet.getByRole('button', { name: '매매' }).click()
    await expect(page).toHaveURL(/\/user\/stock\/\w{6}\/trade$/)
  },
)

test(
  'the list shows what is watched, or everything',
  covers('stock list: three query parameters with defaults', 'stock list menu: watch-only vs all, saved gain, detail'),
  async ({ page, enter }) => {
    await enter('user', '/user/stock')
    await settled(page)
    // Both at once: what is sold out meanwhile goes from a card of its own into the common one.
    const stocks = async (onlyWatch: boolean) => {
      const reply = await page.request.get(`/api/user/stock?showOnlyWatch=${onlyWatch}`)
      return Object.keys(Object(await reply.json())).length
    }
    const watched = await stocks(true)
    expect(watched).toBeGreaterThan(3)
    await page.getByRole('button', { name: '지켜보는 종목 메뉴' }).click()
    await page.getByRole('button', { name: '모든 종목 보기' }).click()
    await expect(page).toHaveURL(/showOnlyWatch=false/)
    await expect(page.getByRole('heading', { name: '모든 종목' })).toBeVisible()
    await settled(page)
    expect(await stocks(false)).toBeGreaterThanOrEqual(watched)
    // The third parameter: details, left out unless asked for.
    const card = page.getByRole('article').first()
    await expect(card.getByText('누적', { exact: true })).toBeVisible()
    await expect(card.getByText('REC')).toHaveCount(0)
    await go(page, '/user/stock?showOnlyWatch=false&showDetail=true&withSavedGain=false')
    await expect(card.getByText('REC')).toBeVisible()
    await expect(card.getByText('누적', { exact: true })).toHaveCount(0)
  },
)

test.describe('an administrator', () => {
  test(
    'switches a badge, and the screen follows the server',
    covers(
      'an admin may toggle the badges',
      'flags toggle by admins, saved before the screen updates',
      'card extras and badge toggles are for admins',
    ),
    async ({ page, enter }) => {
      await enter('admin', EVERY_STOCK)
      const badge = (await firstStock(page)).getByRole('switch', { name: '자동 매수' })
      const before = await badge.getAttribute('aria-checked')
      // Where the price stands below the next buy, switching on would buy at once: then the person is asked.
      const question = page.getByRole('alertdialog').getByRole('button', { name: '저장' })
      const press = async (after: string | null) => {
        await badge.click()
        await expect(async () => {
          if (await question.isVisible()) await question.click()
          await expect(badge).toHaveAttribute('aria-checked', after ?? '', { timeout: 2_000 })
        }).toPass()
      }
      await press(before === 'true' ? 'false' : 'true')
      await page.reload()
      await expect(badge).toHaveAttribute('aria-checked', before === 'true' ? 'false' : 'true')
      await press(before)
    },
  )

  test('switches the watching of a stock by its own call', covers('POST subscribed'), async ({ page, enter }) => {
    await enter('admin', EVERY_STOCK)
    const badge = (await firstStock(page)).getByRole('switch', { name: '시세 구독' })
    const before = await badge.getAttribute('aria-checked')
    for (const after of [before === 'true' ? 'false' : 'true', before ?? '']) {
      const sent = page.waitForRequest(/\/stock\/\w{6}\/subscribed$/)
      await badge.click()
      expect((await sent).method()).toBe('POST')
      await expect(badge).toHaveAttribute('aria-checked', after)
    }
  })

  test(
    'edits a stock with the quick-fill buttons in a dialog of 300 px',
    covers(
      'edit dialog: 300px, persistent, plain text fields, quick-fill',
      'maxBuyPrice has current-price and reset',
      'POST stock: the whole stock',
      'quick-fill values',
      'reset: lastBuyPrice null, remainCount and remainAmount 0',
      'stock dialog 300px',
    ),
    async ({ page, enter }) => {
      await enter('admin', EVERY_STOCK)
      const card = await firstStock(page)
      await card.getByRole('button').first().click()
      await page.getByRole('button', { name: '종목 수정' }).click()
      const dialog = page.getByRole('dialog')
      await settled(page)
      expect((await dialog.boundingBox())?.width).toBe(300)
      await dialog.getByRole('button', { name: '3000 · 3,000만' }).click()
      await expect(dialog.getByLabel('최대 매수 금액')).toHaveValue('30,000,000')
      await dialog.getByRole('button', { name: '20만', exact: true }).click()
      await expect(dialog.getByLabel('1회 매수 금액')).toHaveValue('200,000')
      await dialog.getByRole('button', { name: '-0.01', exact: true }).click()
      await expect(dialog.getByLabel('매수 비율')).toHaveValue('-0.01')
      await dialog.getByRole('button', { name: '10', exact: true }).click()
      await expect(dialog.getByLabel('매도 비율')).toHaveValue('10')
      await dialog.getByRole('button', { name: '현재가' }).click()
      await expect(dialog.getByLabel('최고 매수가')).not.toHaveValue('')
      await dialog.getByRole('button', { name: '초기화' }).click()
      await expect(dialog.getByLabel('마지막 매수가')).toHaveValue('')
      // A press beside it must not lose what was typed.
      await page.mouse.click(5, 300)
      await expect(dialog).toBeVisible()
      await dialog.getByRole('button', { name: '저장' }).click()
      // A trade may have moved the last buy price, which was emptied here: then the person is asked.
      const saveAgain = page.getByRole('alertdialog').getByRole('button', { name: '저장' })
      await expect(async () => {
        if (await saveAgain.isVisible()) await saveAgain.click()
        await expect(dialog).toHaveCount(0, { timeout: 2_000 })
      }).toPass()
      await card.getByRole('button').first().click()
      await page.getByRole('button', { name: '종목 수정' }).click()
      await expect(page.getByLabel('최대 매수 금액')).toHaveValue('30,000,000')
    },
  )

  test(
    'is asked before anything that cannot be taken back',
    covers(
      'a number stepper adds or subtracts one unit; the field gives its value',
      'confirmations: delete, sell all at a price, at market, one trade at current or market price',
      'split count default 1',
    ),
    async ({ page, enter }) => {
      await enter('admin', '/user/stock?showOnlyWatch=false')
      // One that is held.
      const held = page.getByRole('article').filter({ hasText: /[1-9][\d,]*주 ×/ })
      const name = held.first().getByRole('button').first()
      await name.click()
      await page.getByRole('button', { name: '삭제' }).click()
      await expect(page.getByRole('alertdialog')).toContainText('delete???')
      await page.getByRole('button', { name: '취소' }).click()
      await name.click()
      await page.getByRole('button', { name: '시장가 매도' }).click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByRole('button', { name: /^[\d,]+주 시장가에 매도/ })).toBeVisible()
      await expect(sheet.getByRole('button', { name: /시장가 매도 닫기$/ })).toBeFocused()
      await sheet.getByRole('button', { name: '닫기', exact: true }).click()
      await name.click()
      await page.getByRole('button', { name: '지정가 매도' }).click()
      const slices = page.getByLabel('나눌 개수', { exact: true })
      await expect(slices).toHaveValue('1')
      await page.getByRole('button', { name: '나눌 개수 1 늘리기' }).click()
      await expect(slices).toHaveValue('2')
      await page.getByRole('button', { name: '나눌 개수 1 줄이기' }).click()
      // A price that the day allows, whatever the stock: the one that is there.
      const price = page.getByLabel('매도가', { exact: true })
      const now = await price.inputValue()
      await price.fill('')
      await price.fill(now)
      await expect(sheet.getByRole('button', { name: new RegExp(`^[\\d,]+주 ${now}원에 매도$`) })).toBeEnabled()
      await sheet.getByRole('button', { name: '닫기', exact: true }).click()
      await expect(sheet).toHaveCount(0)
    },
  )
})

test('the settings page explains, warns, and shows the worst case before saving', async ({ page, enter }) => {
  await enter('user', '/user/balance')
  await page.getByRole('article').first().getByRole('button').first().click()
  await page.getByRole('button', { name: '매매', exact: true }).click()
  await page.getByRole('link', { name: '설정과 다음 주문' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const preview = page.getByRole('region', { name: '미리 보기' })
  await page.getByLabel('최고 매수가').fill('75,000')
  await page.getByLabel('마지막 매수가').fill('70,000')
  await page.getByLabel('1회 매수 금액').fill('200,000')
  await page.getByLabel('매수 비율').fill('-1')
  await expect(preview.getByRole('listitem').first()).toHaveText('69,300원 2주 · 138,600원')
  await expect(preview).toContainText('계속 떨어지면')
  await page.getByLabel('매수 비율').fill('일')
  await expect(preview).toContainText('숫자가 아닌 값')
})

test(
  'what is typed into the settings survives a trade meanwhile, and only that is saved',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const lastBuyPrice = page.getByLabel('마지막 매수가')
    const changed = page.getByText('그 사이에 이 종목이 바뀌었습니다.')
    /** A trade moves the last buy price. */
    const trade = (price: number) =>
      expect(async () => {
        const stock = state?.stock('u1', '105560')
        if (stock) state?.put('u1', { ...stock, lastBuyPrice: price, version: stock.version + 1 })
        await expect(changed).toBeVisible({ timeout: 200 })
      }).toPass()
    const save = async () => {
      await page.getByRole('button', { name: '저장' }).click()
      await expect(page.getByRole('alertdialog')).toContainText('done')
      await page.getByRole('button', { name: '확인', exact: true }).click()
    }
    await enter('user', '/user/stock/105560/settings')
    await settled(page)
    await page.getByLabel('최고 매수가').fill('123,000')
    await trade(98_765)
    await expect(page.getByLabel('최고 매수가')).toHaveValue('123,000')
    await save()
    expect(state?.stock('u1', '105560')).toMatchObject({ maxBuyPrice: 123_000, lastBuyPrice: 98_765 })
    await expect(lastBuyPrice).toHaveValue('98,765')
    await expect(changed).toHaveCount(0)

    await lastBuyPrice.fill('90,000')
    await trade(97_000)
    await page.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('마지막 매수가 (L): 97,000')
    await page.getByRole('button', { name: '취소' }).click()
    await expect(lastBuyPrice).toHaveValue('90,000')
    await page.getByRole('button', { name: '저장' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('done')
    await page.getByRole('button', { name: '확인', exact: true }).click()
    expect(state?.stock('u1', '105560')).toMatchObject({ lastBuyPrice: 90_000 })

    await trade(96_000)
    await page.getByRole('button', { name: '새 값 불러오기' }).click()
    await expect(changed).toHaveCount(0)
    await expect(lastBuyPrice).toHaveValue('96,000')
  },
)

test(
  'who would sell at once learns how many before it is saved',
  { tag: '@fixture' },
  async ({ page, enter, site }) => {
    const state = site.fixture?.state
    const before = state?.stock('u1', '035720')
    if (state === undefined || before === undefined) return
    state.put('u1', { ...before, autoSell: false, price: 60_000 })
    await enter('admin', '/u1/stock/035720/settings')
    await settled(page)
    await page.getByLabel('자동 매도 (SELL)').check()
    const preview = page.getByRole('region', { name: '미리 보기' })
    await expect(preview).toContainText(/지금 켜면 [\d,]+주가 바로 팔립니다\./)
    await expect(preview).toContainText('다시 오르는 길에는 건너뛴 단계를 사지 않습니다.')
    const saved: string[] = []
    page.on('request', (one) => one.method() === 'POST' && saved.push(one.url()))
    await page.getByRole('button', { name: '저장' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(/지금 켜면 [\d,]+주가 바로 팔립니다\./)
    await question.getByRole('button', { name: '취소' }).click()
    await expect(question).toHaveCount(0)
    await settled(page)
    expect(saved).toEqual([])
    state.put('u1', before)
  },
)

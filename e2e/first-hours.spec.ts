import { expect, settled, take, test } from './test.ts'

test.describe('the first hours', { tag: '@fixture' }, () => {
  test('who has no stocks sees the three steps, with the connection made and whom to ask', async ({ page, enter }) => {
    await enter('newbie', '/user/balance')
    const steps = page.getByRole('list', { name: '첫 걸음' }).getByRole('listitem')
    await expect(steps).toHaveCount(3)
    await expect(steps.first()).toContainText('증권사 연결됨')
    await expect(steps.nth(1)).toContainText('종목은 관리자가 추가합니다.')
    await expect(page.getByRole('main').getByRole('button', { name: '종목 추가' })).toHaveCount(0)
  })

  test('refused keys lead to where they are mended, from the banner and from the first step', async ({
    page,
    enter,
    site,
  }) => {
    site.fixture?.state.connected.delete('u3')
    site.fixture?.state.refused.add('u3')
    try {
      await enter('newbie', '/user/balance')
      await expect(page.getByRole('listitem').filter({ hasText: '증권사가 키나 HTS ID를' })).toBeVisible()
      await page.getByRole('link', { name: '‘증권사 정보’에서 확인하기' }).click()
      await expect(page).toHaveURL(/\/user\/credentials$/)
    } finally {
      site.fixture?.state.connected.add('u3')
      site.fixture?.state.refused.delete('u3')
    }
  })

  test('who is allowed adds stocks by code; a name is refused in the prompt', async ({ page, enter, site }) => {
    await enter('admin', '/user/admin/user')
    await take(page, [`${site.newbie.email} 메뉴`, /^종목 추가 허용/])
    await expect.poll(() => site.fixture?.state.mayAdd.has('u3')).toBe(true)
    await enter('newbie', '/user/balance')
    await page.getByRole('main').getByRole('button', { name: '종목 추가' }).click()
    await take(page, [['종목코드 6자리', '삼성전자'], '확인'])
    await expect(page.getByLabel('종목코드 6자리')).toHaveAccessibleDescription(/이름으로는 추가할 수 없습니다/)
    await take(page, [['종목코드 6자리', ' ００５９３０'], '확인'])
    await expect(page).toHaveURL(/\/stock\/005930\/trade$/)
    await expect(page.getByRole('main').getByRole('button', { name: '종목 추가' })).toBeVisible()
    await enter('admin', '/user/admin/user')
    await take(page, [`${site.newbie.email} 메뉴`, /^종목 추가 막기/])
    await expect.poll(() => site.fixture?.state.mayAdd.has('u3')).toBe(false)
  })

  test('the broker’s keys are changed with the password, with errors at their fields', async ({ page, enter }) => {
    await enter('user', '/user/credentials')
    const main = page.getByRole('main')
    await expect(main).toContainText('••••4567')
    await expect(main).toContainText('12일')
    await take(page, [['HTS ID', 'nobody'], '확인하고 바꾸기'])
    await expect(page.getByLabel('지금 비밀번호')).toHaveAccessibleDescription(/required/)
    await take(page, [['지금 비밀번호', 'not mine'], '확인하고 바꾸기'])
    await expect(page.getByLabel('지금 비밀번호')).toHaveAccessibleDescription(/맞지 않습니다/)
    await take(page, [['지금 비밀번호', 'digger-minji'], '확인하고 바꾸기'])
    await expect(page.getByLabel('HTS ID')).toHaveAccessibleDescription(/증권사가 모르는 아이디/)
    await take(page, [['HTS ID', 'minji9'], '확인하고 바꾸기'])
    await expect(page.getByRole('alertdialog')).toContainText('증권사 정보를 바꿨습니다.')
    await take(page, ['확인'])
    await expect(main).toContainText('••••nji9')
    await expect(page.getByLabel('지금 비밀번호')).toHaveValue('')
  })

  test('an administrator sees whose keys are old, and changes nobody else’s', async ({ page, enter, site }) => {
    site.fixture?.state.keys.add('u2')
    try {
      await enter('admin', '/u2/credentials')
      await settled(page)
      await expect(page.getByText('증권사 키를 저장한 지 340일입니다.')).toBeVisible()
      await expect(page.getByText('증권사 정보는 계좌 주인만 바꿀 수 있습니다.')).toBeVisible()
      await expect(page.getByRole('button', { name: '확인하고 바꾸기' })).toHaveCount(0)
    } finally {
      site.fixture?.state.keys.delete('u2')
    }
  })
})

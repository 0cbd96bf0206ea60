import type { Page } from '@playwright/test'
import { expect, take } from './test.ts'

export const APP_KEY = 'PSabcdefghijklmnopqrstuvwxyz01234567'
export const APP_SECRET = 'Ab/9+'.repeat(36).slice(0, 179).concat('=')

/** Fills in the whole of the sign-up; it is not sent yet. */
export async function fillJoin(page: Page, { accountNumber, htsId }: { accountNumber: string; htsId: string }) {
  await page.goto('/join')
  await expect(page.getByText('시뮬레이터', { exact: true })).toBeVisible()
  await take(page, [
    ['이메일', 'sora@example.com'],
    ['비밀번호', 'first password'],
    ['비밀번호 확인', 'first password'],
    ['appKey', APP_KEY],
    ['appSecret', APP_SECRET],
    ['accountNumber', accountNumber],
    ['HTS ID', htsId],
  ])
}

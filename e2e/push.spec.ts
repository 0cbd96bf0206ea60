import { createECDH, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, settled, take, test } from './test.ts'

const PATH = '/user/notification'
const ADD = '이 기기에서 알림 받기'

/** Keys as a browser makes them. */
const keys = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
}

/**
 * A browser that reaches a push service, which a test has none of: it subscribes at an address of its own, over reloads.
 * Its person allows notifications, which a Chromium without a window refuses whatever a test grants.
 * `sessionStorage.push` is what it has subscribed: endpoint and server's key.
 */
const reachesService = (endpoint: string) => `(() => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
  const present = () => {
    const { endpoint, key } = JSON.parse(sessionStorage.push ?? '{}')
    return endpoint === undefined ? null : {
      endpoint,
      options: { applicationServerKey: bytes(key) },
      toJSON: () => ({ endpoint, keys: ${JSON.stringify(keys)} }),
      unsubscribe: async () => { delete sessionStorage.push; return true },
    }
  }
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  PushManager.prototype.getSubscription = async () => present()
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const old = present()
    if (old === null) sessionStorage.push = JSON.stringify({ endpoint: '${endpoint}', key })
    else if (JSON.parse(sessionStorage.push).key !== key) throw new DOMException('another key', 'InvalidStateError')
    return present()
  }
})()`

const ownItem = (page: Page) => page.getByRole('listitem').filter({ has: page.getByText('이 기기', { exact: true }) })
const own = (page: Page) => ownItem(page).filter({ has: page.getByRole('button', { name: /지우기$/ }) })
const pushes = (page: Page) => page.getByRole('listitem').filter({ has: page.getByText('기기', { exact: true }) })

test.describe('this device', () => {
  test.use({ serviceWorkers: 'allow' })

  test('is added by one press and marked, mended by itself where its address moves, and forgotten when it is removed', async ({
    page,
    enter,
  }) => {
    await page.addInitScript(reachesService(`https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`))
    await enter('newbie', PATH)
    await take(page, [ADD])
    await expect(own(page)).toBeVisible()
    await expect(own(page)).toContainText(/크롬|Chrome/)
    // Whoever holds a locked phone reads no amounts.
    await expect(own(page).getByRole('checkbox', { name: '금액 보이기' })).not.toBeChecked()
    await expect(page.getByText('이 기기에서 알림을 받고 있습니다.')).toBeVisible()
    await page.reload()
    await expect(own(page)).toBeVisible()
    await own(page).getByRole('checkbox', { name: '금액 보이기' }).check()
    await settled(page)

    for (const path of [PATH, '/user/gain'])
      await test.step(`the browser has another address since, and its person looks at ${path}`, async () => {
        const moved = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`
        await page.evaluate(
          `sessionStorage.push = JSON.stringify({ ...JSON.parse(sessionStorage.push), endpoint: '${moved}' })`,
        )
        const posted = page.waitForRequest(
          (request) => request.method() === 'POST' && request.url().endsWith('/channel'),
        )
        const removed = page.waitForResponse((reply) => reply.request().method() === 'DELETE' && reply.ok())
        await page.goto(path)
        expect((await posted).postDataJSON()).toMatchObject({ kind: 'push', endpoint: moved })
        await removed
        await page.goto(PATH)
        await expect(own(page)).toBeVisible()
        await expect(pushes(page)).toHaveCount(1)
        // As its person had chosen.
        await expect(own(page).getByRole('checkbox', { name: '금액 보이기' })).toBeChecked()
      })
    await test.step('the server has another key since', async () => {
      await page.evaluate(
        `sessionStorage.push = JSON.stringify({ ...JSON.parse(sessionStorage.push), key: 'BEl62iUY' })`,
      )
      await page.reload()
      await expect(page.getByText('서버의 알림 키가 바뀌어 이 기기로 알림이 오지 않습니다.')).toBeVisible()
      await take(page, ['이 기기에서 다시 받기'])
      await expect(page.getByText('이 기기에서 알림을 받고 있습니다.')).toBeVisible()
      await expect(pushes(page)).toHaveCount(1)
    })
    await test.step('switched off and on', async () => {
      await own(page).getByRole('checkbox', { name: '켜기' }).uncheck()
      await expect(page.getByText('이 기기의 알림이 꺼져 있습니다.')).toBeVisible()
      await take(page, ['이 기기에서 다시 받기'])
      await expect(own(page).getByRole('checkbox', { name: '켜기' })).toBeChecked()
      await expect(pushes(page)).toHaveCount(1)
    })
    await own(page)
      .getByRole('button', { name: /지우기$/ })
      .click()
    await take(page, ['지우기'])
    await expect(page.getByText('알림을 받을 곳이 없습니다')).toBeVisible()
    await expect(page.getByRole('button', { name: ADD })).toBeVisible()
    const left = 'JSON.stringify([sessionStorage.push ?? null, localStorage.getItem("notification-device")])'
    await expect.poll(() => page.evaluate(left)).toBe('[null,null]')
  })
})

/** What a browser lacks, as its page would see it, and what it is told to do. */
const WITHOUT: readonly [lacks: string, script: string, says: string][] = [
  [
    'https',
    `Object.defineProperty(window, 'isSecureContext', { value: false })`,
    'https로 시작하는 주소로 열어 주세요.',
  ],
  ['push', `delete window.PushManager`, '이 브라우저는 알림을 받지 못합니다.'],
  [
    'a home screen',
    `delete window.PushManager; Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)' })`,
    '공유 → 홈 화면에 추가한 뒤 그 아이콘으로 열어 주세요.',
  ],
  [
    'the permission',
    `Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`,
    '알림을 허용한 뒤 이 화면으로 돌아와 주세요.',
  ],
]

for (const [lacks, script, says] of WITHOUT) {
  test(`a browser without ${lacks} is told what to do`, { tag: '@fixture' }, async ({ page, enter }) => {
    await page.addInitScript(script)
    await enter('newbie', PATH)
    await expect(page.getByRole('region', { name: '알림 시작하기' })).toContainText(says)
    await expect(page.getByRole('button', { name: ADD })).toHaveCount(0)
    // The other ways are there all the same.
    await expect(page.getByRole('button', { name: '웹훅 더하기' })).toBeVisible()
  })
}

test.describe('without a page', { tag: '@fixture' }, () => {
  test.use({ serviceWorkers: 'allow', permissions: ['notifications'] })

  test('a push is shown with title, body and its name; once where it comes twice; and nonsense as something', async ({
    page,
    context,
    enter,
    site,
  }) => {
    const session = await context.newCDPSession(page)
    const registered = Promise.withResolvers<string>()
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url))
      if (ours) registered.resolve(ours.registrationId)
    })
    await session.send('ServiceWorker.enable')
    await enter('user', PATH)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    const registrationId = await registered.promise
    const push = (data: string) =>
      session.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data })
    // Not every build of the browser has a place to show notifications in: here is one, where a tag replaces itself.
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('no worker')
    await worker.evaluate(`globalThis.shown = new Map()
      ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, silent, data } = {}) =>
        void shown.set(tag ?? title, { title, body, tag, silent, data })`)
    const shown = (): Promise<string> => worker.evaluate('JSON.stringify([...shown.values()])')

    const payload = {
      id: 'b1',
      title: '삼성전자 3주를 샀습니다',
      body: '71,000원에',
      url: '/u1/notification',
      silent: true,
    }
    const first = { title: payload.title, body: payload.body, tag: 'b1', silent: true, data: payload.url }
    await push(JSON.stringify(payload))
    await expect.poll(async () => JSON.parse(await shown())).toEqual([first])
    await push(JSON.stringify({ ...payload, body: '71,100원에' }))
    await expect.poll(async () => JSON.parse(await shown())).toEqual([{ ...first, body: '71,100원에' }])
    await push('nonsense')
    await expect
      .poll(async () => JSON.parse(await shown()))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ tag: 'b1' }),
          expect.objectContaining({ title: 'Digger 알림', body: '눌러서 확인해 주세요.' }),
        ]),
      )
    expect(JSON.parse(await shown())).toHaveLength(2)
  })
})

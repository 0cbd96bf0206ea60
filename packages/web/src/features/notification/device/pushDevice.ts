import type { DeviceFacts, DeviceSubscription } from './deviceState.ts'
import { readRemembered } from './rememberedChannels.ts'

/** A worker that is not there by then does not come, ms. */
const READY_TIMEOUT_MS = 10_000

const NOT_READY = 'Digger가 이 브라우저에 아직 설치되지 않았습니다. 화면을 새로 고친 뒤 다시 눌러 주세요.'
const NOT_SUBSCRIBED =
  '브라우저가 알림 서버에 등록하지 못했습니다. 인터넷 연결을 확인하고 다시 누르거나 다른 받는 곳을 더해 주세요.'

/** Why this device gets no push, in a sentence for its person. */
export class DeviceProblem extends Error {
  override readonly name = 'DeviceProblem'
}

export async function readFacts(): Promise<DeviceFacts> {
  const push = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  const registration = push ? await navigator.serviceWorker.getRegistration() : undefined
  const subscription = await registration?.pushManager.getSubscription()
  return {
    secure: isSecureContext,
    push,
    // An iPad calls itself a Mac, which has no touch screen.
    apple: /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1),
    installed: matchMedia('(display-mode: standalone)').matches,
    permission: push ? Notification.permission : 'default',
    subscription: subscription ? factsOf(subscription) : null,
    remembered: readRemembered(),
  }
}

export const factsOf = ({ endpoint, options }: PushSubscription): DeviceSubscription => ({
  endpoint,
  serverKey: options.applicationServerKey && base64url(options.applicationServerKey),
})

function base64url(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

interface PushKeys {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/**
 * Asks the person and the browser, and returns where pushes go; null: the person said no. To be called by a press, before anything else
 * is awaited: iOS asks only then. Throws DeviceProblem.
 */
export async function subscribe(serverKey: string): Promise<PushKeys | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await readyWorker()
  const old = await pushManager.getSubscription()
  // With another key a browser refuses a second subscription.
  if (old && factsOf(old).serverKey !== serverKey) await old.unsubscribe()
  try {
    return keysOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }))
  } catch (cause) {
    throw new DeviceProblem(NOT_SUBSCRIBED, { cause })
  }
}

/** Nothing more is shown here. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

function keysOf(subscription: PushSubscription): PushKeys {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint: endpoint ?? subscription.endpoint, p256dh, auth }
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  // It never fails, but waits for ever where there is no worker.
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DeviceProblem(NOT_READY)), READY_TIMEOUT_MS)
  try {
    return await Promise.race([navigator.serviceWorker.ready, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What people are told while no page is open. A push always shows something: browsers take the right away from a site whose
 * pushes show nothing. Nothing is remembered of what was shown.
 */
declare const registration: ServiceWorkerRegistration
declare const clients: Clients

addEventListener('push', (event) => {
  if (event instanceof PushEvent) event.waitUntil(show(shownOf(event.data?.text())))
})

addEventListener('notificationclick', (event) => {
  if (!(event instanceof NotificationEvent)) return
  event.notification.close()
  event.waitUntil(openPage(pathOf(event.notification.data)))
})

addEventListener('pushsubscriptionchange', (event) => {
  // Not all browsers have a class for it, nor fill it in.
  if (event instanceof ExtendableEvent)
    event.waitUntil(subscribeAgain(subscriptionIn(event, 'new'), subscriptionIn(event, 'old')))
})

interface Shown {
  readonly title: string
  readonly options: NotificationOptions
}

const PLAIN = { title: 'Digger 알림', body: '눌러서 확인해 주세요.', tag: 'digger' } as const

const show = ({ title, options }: Shown): Promise<void> => registration.showNotification(title, options)

/** What a payload asks to be shown; of one that cannot be read, that there is something. */
function shownOf(payload: string | undefined): Shown {
  const { id, title, body, url, silent } = fieldsOf(payload)
  const isPlain = typeof title !== 'string' || title === ''
  return {
    title: isPlain ? PLAIN.title : title,
    options: {
      body: isPlain || typeof body !== 'string' ? PLAIN.body : body,
      // One that is sent twice takes the place of itself, and so do all that say nothing.
      tag: typeof id === 'string' ? id : PLAIN.tag,
      silent: silent === true,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      data: url,
    },
  }
}

function fieldsOf(payload: string | undefined): Partial<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(payload ?? '')
    return typeof fields === 'object' && fields !== null ? { ...fields } : {}
  } catch {
    return {}
  }
}

/** A page of ours, whatever host the server believes it has; anything else leads to the first page. */
function pathOf(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url, location.origin)) return '/'
  const { origin, pathname, search } = new URL(url, location.origin)
  return origin === location.origin ? pathname + search : '/'
}

async function openPage(path: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const window = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (window === undefined) {
    await clients.openWindow(path)
    return
  }
  await window.focus()
  const { pathname, search } = new URL(window.url)
  if (pathname + search === path) return
  // A page that another worker has cannot be sent elsewhere.
  await window.navigate(path).catch(() => clients.openWindow(path))
}

function subscriptionIn(event: ExtendableEvent, which: 'new' | 'old'): PushSubscription | undefined {
  const found: unknown = Reflect.get(event, `${which}Subscription`)
  return found instanceof PushSubscription ? found : undefined
}

/**
 * A browser gave this device another address. Whether anybody is logged in is not seen from here: the page adds the device again at
 * its next visit.
 */
async function subscribeAgain(fresh?: PushSubscription, old?: PushSubscription): Promise<void> {
  const key = old?.options.applicationServerKey
  const subscription = fresh ?? (key && (await registration.pushManager.subscribe(optionsOf(key))))
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/api/user/notification/channel', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'push', label: '주소가 바뀐 기기', endpoint, ...keys }),
  }).catch(() => undefined)
}

const optionsOf = (applicationServerKey: ArrayBuffer) => ({ userVisibleOnly: true, applicationServerKey })

import { Refused } from '@digger/contract'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { needProof } from './prove.ts'

type NotificationCalls =
  | 'notifications'
  | 'notificationSetup'
  | 'setNotifications'
  | 'addChannel'
  | 'changeChannel'
  | 'removeChannel'
  | 'linkTelegram'
  | 'testNotification'

const NOT_HERE = '이 서버는 알림을 맡지 않습니다. 잠시 뒤 다시 해 주세요.'

export function notificationHandlers(services: Services): Pick<Handlers, NotificationCalls> {
  const { notifications } = services
  const setups = () => {
    if (notifications === undefined) throw new Refused('BUSY', NOT_HERE)
    return notifications
  }
  return {
    notifications: ({ userId }) => setups().list(userId),
    notificationSetup: ({ userId }) => setups().read(userId),
    async setNotifications({ userId, caller, body }) {
      // Whoever got in by a stolen password must not silence what says so.
      const isMuted = ({ levels }: Pick<typeof body, 'levels'>) => levels.newDevice === 'off'
      if (isMuted(body) && !isMuted(await setups().read(userId))) await needProof(services, caller)
      return setups().write(userId, body)
    },
    addChannel: ({ userId, body, note }) => {
      note(body.kind)
      return setups().add(userId, body)
    },
    changeChannel: ({ userId, params, body }) => setups().change(userId, params.channelId, body),
    removeChannel: ({ userId, params }) => setups().remove(userId, params.channelId),
    linkTelegram: ({ userId }) => setups().linkTelegram(userId),
    async testNotification({ userId }) {
      await setups().test(userId)
      return {}
    },
  }
}

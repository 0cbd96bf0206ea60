import { z } from 'zod'
import {
  ChannelChange,
  NewChannel,
  NotificationItem,
  NotificationSettings,
  NotificationSetup,
  TelegramLink,
} from '../notifications.ts'
import type { Call } from './call.ts'
import { empty, ofUser } from './inputs.ts'

const ofChannel = ofUser.extend({ channelId: z.coerce.number().pipe(z.int().min(1)) })

/** What its person is told, and where. */
export const notificationCalls = {
  notifications: {
    summary: '지난 알림 100개, 새것부터',
    access: 'owner',
    params: ofUser,
    reply: z.array(NotificationItem),
  },
  notificationSetup: { summary: '알림 설정과 받는 곳', access: 'owner', params: ofUser, reply: NotificationSetup },
  setNotifications: {
    summary: '알림 설정 바꾸기',
    access: 'owner',
    params: ofUser,
    body: NotificationSettings,
    reply: NotificationSetup,
  },
  addChannel: {
    summary: '알림 받는 곳 더하기',
    access: 'owner',
    params: ofUser,
    body: NewChannel,
    reply: NotificationSetup,
  },
  changeChannel: {
    summary: '알림 받는 곳 바꾸기',
    access: 'owner',
    params: ofChannel,
    body: ChannelChange,
    reply: NotificationSetup,
  },
  removeChannel: { summary: '알림 받는 곳 지우기', access: 'owner', params: ofChannel, reply: NotificationSetup },
  linkTelegram: {
    summary: '텔레그램에 잇는 코드 만들기',
    access: 'owner',
    params: ofUser,
    body: empty,
    reply: TelegramLink,
  },
  testNotification: { summary: '시험 알림 보내기', access: 'owner', params: ofUser, reply: empty },
} as const satisfies Record<string, Call>

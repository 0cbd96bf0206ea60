import type { NotificationChannel, Reply } from '@digger/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '../../../api/send.ts'
import { ask } from '../../../ask/ask.ts'
import { usePathUser } from '../../../url/user.ts'
import { usePutSetup } from '../notificationQueries.ts'
import { deviceName, deviceState, freeLabel, ownChannel, type DeviceFacts, type DeviceState } from './deviceState.ts'
import { DeviceProblem, readFacts, subscribe, unsubscribe } from './pushDevice.ts'
import { remember, readRemembered } from './rememberedDevice.ts'

type Setup = Reply<'notificationSetup'>

export interface Device {
  /** Null until the browser has answered. */
  readonly state: DeviceState | null
  /** The channel that is this device. */
  readonly own: NotificationChannel | undefined
  readonly busy: boolean
  /** Subscribes and adds; asks the person where the browser does. */
  readonly add: () => void
  /** To be called when a channel was removed. */
  readonly forget: (channelId: number) => Promise<void>
}

/** This browser as a place that notifications go to. */
export function useDevice(setup: Setup): Device {
  const { facts, look } = useFacts()
  const add = useAdd(setup, facts)
  const [busy, setBusy] = useState(false)
  const state = facts && deviceState(facts, setup.channels, setup.offered.push)
  const start = () => {
    if (busy) return
    setBusy(true)
    void add()
      .then(look)
      .finally(() => setBusy(false))
  }
  useRepair(state, start)
  return {
    state,
    own: facts ? ownChannel(setup.channels, facts) : undefined,
    busy,
    add: start,
    async forget(channelId) {
      const { endpoint, channels } = readRemembered()
      if (!channels.includes(channelId)) return
      const left = channels.filter((id) => id !== channelId)
      remember({ endpoint, channels: left })
      // Somebody else may get theirs in this browser, too.
      if (left.length === 0) await unsubscribe()
      await look()
    },
  }
}

/** What the browser says, read again whenever its person comes back, from its settings perhaps. */
function useFacts(): { facts: DeviceFacts | null; look: () => Promise<void> } {
  const [facts, setFacts] = useState<DeviceFacts | null>(null)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void readFacts().then(setFacts)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return { facts, look: async () => setFacts(await readFacts()) }
}

/** A browser that got another address is added again by itself, once: there is nothing to ask its person. */
function useRepair(state: DeviceState | null, start: () => void): void {
  const tried = useRef(false)
  const repair = useEffectEvent(start)
  useEffect(() => {
    if (state !== 'moved' || tried.current) return
    tried.current = true
    repair()
  }, [state])
}

function useAdd({ offered, channels }: Setup, facts: DeviceFacts | null): () => Promise<void> {
  const userId = usePathUser()
  const put = usePutSetup()
  return async () => {
    const keys = await subscribe(offered.push).catch(showProblem)
    if (keys === null) return
    const old = facts ? ownChannel(channels, facts) : undefined
    const taken = channels.filter((channel) => channel !== old).map((channel) => channel.label)
    const label = freeLabel(deviceName(navigator.userAgent), taken)
    const setup = await send('addChannel', { params: { userId }, body: { kind: 'push', label, ...keys } })
    if (setup === null) return
    const added = setup.channels.findLast((channel) => channel.kind === 'push' && channel.label === label)
    const { channels: known } = readRemembered()
    const others = known.filter((id) => id !== old?.id && id !== added?.id)
    remember({ endpoint: keys.endpoint, channels: added ? [...others, added.id] : others })
    await put(old && added && old.id !== added.id ? await replaced(userId, old, added, setup) : setup)
  }
}

/** Takes the channel of this device's former address away; what its person had chosen there holds here. */
async function replaced(
  userId: string,
  { id, amounts }: NotificationChannel,
  added: NotificationChannel,
  setup: Setup,
): Promise<Setup> {
  if (amounts !== added.amounts)
    await send('changeChannel', { params: { userId, channelId: added.id }, body: { amounts } })
  return (await send('removeChannel', { params: { userId, channelId: id } })) ?? setup
}

function showProblem(error: unknown): null {
  void ask.alert(
    error instanceof DeviceProblem
      ? error.message
      : '이 기기를 더하지 못했습니다. 화면을 새로 고친 뒤 다시 눌러 주세요.',
  )
  return null
}

import type { NotificationChannel, Reply } from '@digger/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ask } from '../../../ask/ask.ts'
import { usePathUser } from '../../../url/user.ts'
import { usePutSetup } from '../notificationQueries.ts'
import { addDevice } from './addDevice.ts'
import { deviceState, ownChannel, type DeviceFacts, type DeviceState } from './deviceState.ts'
import { DeviceProblem, readFacts, unsubscribe } from './pushDevice.ts'
import { readRemembered, remember } from './rememberedChannels.ts'

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
  const userId = usePathUser()
  const put = usePutSetup()
  const [busy, setBusy] = useState(false)
  const state = facts && deviceState(facts, setup.channels, setup.offered.push)
  const start = () => {
    if (busy) return
    setBusy(true)
    void addDevice(userId, setup)
      .then((added) => added && put(added))
      .catch(showProblem)
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
      const remembered = readRemembered()
      const left = remembered.filter(({ id }) => id !== channelId)
      if (left.length === remembered.length) return
      remember(left)
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

function showProblem(error: unknown): void {
  void ask.alert(
    error instanceof DeviceProblem
      ? error.message
      : '이 기기를 더하지 못했습니다. 화면을 새로 고친 뒤 다시 눌러 주세요.',
  )
}

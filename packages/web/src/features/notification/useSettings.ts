import type { NotificationSettings } from '@digger/contract'
import { useRef, useState } from 'react'
import { send } from '../../api/send.ts'
import { usePathUser } from '../../url/user.ts'
import { usePutSetup } from './notificationQueries.ts'

type Change = Partial<NotificationSettings>

/** The settings as chosen, which are shown at once and sent one after the other, each with all that was chosen before it. */
export function useSettings(saved: NotificationSettings): {
  readonly settings: NotificationSettings
  /** Resolves with whether it was saved. */
  readonly change: (of: (settings: NotificationSettings) => Change) => Promise<boolean>
} {
  const userId = usePathUser()
  const put = usePutSetup()
  const [chosen, setChosen] = useState<NotificationSettings | null>(null)
  const latest = useRef<NotificationSettings | null>(null)
  const sending = useRef<Promise<unknown>>(Promise.resolve())
  const settle = (settings: NotificationSettings | null) => {
    latest.current = settings
    setChosen(settings)
  }
  const sendAfter = async (before: Promise<unknown>, settings: NotificationSettings): Promise<boolean> => {
    await before
    const setup = await send('setNotifications', { params: { userId }, body: settings })
    if (setup !== null) put(setup)
    // What failed is shown as the server has it.
    if (setup === null || latest.current === settings) settle(null)
    return setup !== null
  }
  return {
    settings: chosen ?? saved,
    change(of) {
      const { levels, quiet } = latest.current ?? saved
      const settings = { levels, quiet, ...of({ levels, quiet }) }
      settle(settings)
      const done = sendAfter(sending.current, settings)
      sending.current = done
      return done
    },
  }
}

import type { NotificationKind, NotificationLevel, NotificationSettings } from '@digger/contract'
import { NOTIFICATION_LABELS } from '@digger/contract/notification-kinds'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Panel } from '../../components/Panel.tsx'
import { Segments } from '../../components/Segments.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './Notification.module.css'
import { kindGroups, LEVELS } from './notificationText.ts'
import { QuietHours } from './QuietHours.tsx'
import { useSettings } from './useSettings.ts'

/** Of what its person is told, each with a sound, without one, or not at all; and the hours in which nothing makes a sound. */
export function KindSettings({ settings: saved }: { settings: NotificationSettings }) {
  const userId = usePathUser()
  const me = useQuery(read('me', { params: { userId } }))
  const { settings, change } = useSettings(saved)
  const choose = (kind: NotificationKind, level: NotificationLevel) =>
    void change(({ levels }) => ({ levels: { ...levels, [kind]: level } }))
  return (
    <>
      <Panel label="알릴 것">
        <h2>알릴 것</h2>
        <p className={css['note']}>
          고르면 바로 저장됩니다. 끈 것도 아래 지난 알림에는 남습니다. 받는 곳이 꺼졌다는 알림은 끌 수 없습니다.
        </p>
        {kindGroups(me.data?.diggerAdmin === true).map(({ title, kinds }) => (
          <div key={title} className={css['group']}>
            <h3>{title}</h3>
            <ul>
              {kinds.map((kind) => (
                <li key={kind}>
                  <span>{NOTIFICATION_LABELS[kind]}</span>
                  <Segments
                    label={NOTIFICATION_LABELS[kind]}
                    options={LEVELS}
                    value={settings.levels[kind] ?? 'on'}
                    onChange={(level) => choose(kind, level)}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Panel>
      <QuietHours quiet={settings.quiet} onSave={(quiet) => change(() => ({ quiet }))} />
    </>
  )
}

import type { Reply } from '@digger/contract'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useHome, useOthersPage } from '../../viewer/viewer.ts'
import { AddChannels } from './AddChannels.tsx'
import { ChannelList } from './ChannelList.tsx'
import { DeviceBox } from './device/DeviceBox.tsx'
import { useDevice, type Device } from './device/useDevice.ts'
import { KindSettings } from './KindSettings.tsx'
import css from './Notification.module.css'
import { useSetup } from './notificationQueries.ts'
import { Messages } from './Messages.tsx'

/** What its person is told, where, and what was told. */
export function NotificationPage() {
  const home = useHome()
  const query = useSetup()
  return (
    <Page title="Notification" name="알림" homeHref={home}>
      {/* As long as what comes: what is below is not pushed down in sight. */}
      <QueryView query={query} heights={[505, 444]}>
        {(setup) => <Setup setup={setup} />}
      </QueryView>
      <Messages />
    </Page>
  )
}

function Setup({ setup }: { setup: Reply<'notificationSetup'> }) {
  const device = useDevice(setup)
  // An administrator's device is not where others get theirs.
  const others = useOthersPage()
  const isFirst = setup.channels.length === 0
  return (
    <>
      {isFirst && <FirstChannel device={others ? null : device} />}
      {!isFirst && <ChannelList channels={setup.channels} device={device} />}
      <AddChannels setup={setup} device={isFirst || others ? null : device} />
      <KindSettings settings={setup} />
    </>
  )
}

function FirstChannel({ device }: { device: Device | null }) {
  return (
    <Panel label="알림 시작하기">
      <h2>알림을 받을 곳이 없습니다</h2>
      <p className={css['lead']}>
        사고판 것, 매매가 멈춘 까닭, 확인해야 할 일을 화면을 보지 않아도 알려 드립니다. 하나만 정해도 됩니다.
      </p>
      {device === null ? (
        <p className={css['note']}>다른 사람의 기기는 그 사람이 자기 기기에서 더해야 합니다.</p>
      ) : (
        <DeviceBox device={device} big />
      )}
    </Panel>
  )
}

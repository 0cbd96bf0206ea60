import { Button } from '../../../components/Button.tsx'
import css from '../Notification.module.css'
import { DEVICE_TEXTS } from './deviceState.ts'
import type { Device } from './useDevice.ts'

/** What this device can do about notifications, in a sentence, and the button for it. */
export function DeviceBox({ device: { state, busy, add }, big = false }: { device: Device; big?: boolean }) {
  if (state === null) return <p className={css['note']}>이 기기가 알림을 받을 수 있는지 보고 있습니다.</p>
  const { text, action } = DEVICE_TEXTS[state]
  return (
    <div className={css['device']} data-big={big}>
      {/* What came of a press is read aloud. */}
      <output className={css['note']}>{text}</output>
      {action !== null && (
        <Button look="main" wide={big} disabled={busy} onClick={add}>
          {action}
        </Button>
      )}
    </div>
  )
}

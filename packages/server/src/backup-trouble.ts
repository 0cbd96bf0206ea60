import type { Trouble } from '@digger/engine'
import type { Services } from './services.ts'

/** Told, but no reason to start the server again, nor to send people elsewhere, nor for the heart to stand still: it trades. */
export function backupTroubles({ backup }: Pick<Services, 'backup'>): Trouble[] {
  const failure = backup?.()?.failure ?? null
  return failure === null
    ? []
    : [{ code: 'backup', accounts: null, text: `매일 하는 백업이 되지 않았습니다: ${failure}` }]
}

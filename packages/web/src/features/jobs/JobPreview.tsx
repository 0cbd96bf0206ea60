import type { BulkKind, JobPreview as Preview } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { useBusy } from './useBusy.ts'
import { Button } from '../../components/Button.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import css from './Jobs.module.css'
import { isDangerous, touchedText } from './jobText.ts'

interface Props {
  kind: BulkKind
  name: string
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** What would happen, before it does. */
export function JobPreview({ kind, name, onStarted, onClose }: Props) {
  const query = useQuery({ ...read('previewJob', { params: { kind } }), staleTime: 0 })
  const [busy, start] = useBusy(async () => {
    const begun = await send('startJob', { body: { kind } })
    if (begun !== null) onStarted(begun.jobId)
  })
  return (
    <Panel label={`${name} 미리 보기`}>
      <h2>{name}</h2>
      <QueryView query={query} rows={2}>
        {(preview) => (
          <>
            <p className={css['what']}>{preview.what}</p>
            <Facts facts={factsOf(preview)} />
            <WithoutKey preview={preview} />
            {preview.running !== null && (
              <p className={css['warning']}>같은 작업이 진행되고 있습니다. 끝나거나 멈춘 뒤에 시작할 수 있습니다.</p>
            )}
            <p className={css['buttons']}>
              <Button
                look={isDangerous(kind) ? 'danger' : 'main'}
                disabled={busy || preview.running !== null}
                onClick={start}
              >
                {preview.users}명에게 시작
              </Button>
              <Button look="quiet" onClick={onClose}>
                그만두기
              </Button>
            </p>
          </>
        )}
      </QueryView>
    </Panel>
  )
}

const factsOf = (preview: Preview): (readonly [string, string])[] => [
  ['사용자', `${preview.users}명`],
  ['키가 열린 사용자', preview.withKey === null ? '답하지 않는 서버가 있어 지금은 모릅니다' : `${preview.withKey}명`],
  ['달라지는 것', touchedText(preview)],
]

function WithoutKey({ preview: { withKey, users, withoutKey } }: { preview: Preview }) {
  if (withKey === null || withKey === users) return null
  const more = users - withKey - withoutKey.length
  return (
    <p className={css['warning']}>
      키가 없어 하지 못할 사용자 {users - withKey}명: {withoutKey.map(({ email }) => email).join(', ')}
      {more > 0 && ` 외 ${more}명`}
    </p>
  )
}

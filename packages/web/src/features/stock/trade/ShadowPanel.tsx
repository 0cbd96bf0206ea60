import { Link } from 'wouter'
import { Note } from '../../../components/Note.tsx'
import { usePathUser } from '../../../url/user.ts'
import { useViewer } from '../../../viewer/viewer.ts'

/** The stock is only rehearsed: what is pressed here goes into the rehearsal's book, too. */
export function ShadowPanel() {
  const userId = usePathUser()
  // Where the whole server is one rehearsal nobody can leave it here.
  const mayLeave = useViewer().me?.shadow !== true
  return (
    <Note
      tone="plain"
      icon="eye"
      title="그림자(연습) 종목입니다"
      action={
        <Link href={`/${userId}/shadow`}>
          {mayLeave ? '‘그림자’에서 보냈을 주문을 보거나 실제로 거래하기' : '‘그림자’에서 보냈을 주문 보기'}
        </Link>
      }
    >
      주문을 보내지 않습니다. 여기서 사고파는 것도 연습 장부에만 적습니다.
    </Note>
  )
}

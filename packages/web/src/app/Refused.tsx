import { Link } from 'wouter'
import { Empty } from '../components/QueryView.tsx'
import { Page } from '../components/Page.tsx'
import { useHome } from '../viewer/viewer.ts'

/** Instead of the pages of an account that is not the viewer's, or is not there. */
export function Refused() {
  const home = useHome()
  return (
    <Page title="Forbidden" name="볼 수 없는 화면" homeHref={home}>
      <Empty title="이 계좌는 볼 수 없습니다">
        <p>다른 사람의 계좌이거나 없는 계좌입니다. 주소가 맞는지 확인해 주세요.</p>
        <Link href={home}>처음 화면으로 가기</Link>
      </Empty>
    </Page>
  )
}

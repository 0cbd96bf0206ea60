import { Link } from 'wouter'
import { Empty } from '../components/QueryView.tsx'
import { Page } from '../components/Page.tsx'
import { useHome } from '../viewer/viewer.ts'

export function NotFound() {
  const home = useHome()
  return (
    <Page title="Not Found" name="없는 화면" homeHref={home}>
      <Empty title="찾으시는 화면이 없습니다">
        <p>주소가 바뀌었거나 잘못 적혔습니다.</p>
        <Link href={home}>처음 화면으로 가기</Link>
      </Empty>
    </Page>
  )
}

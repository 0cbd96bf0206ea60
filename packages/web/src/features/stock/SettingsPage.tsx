import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { read } from '../../api/read.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { usePathUser } from '../../url/user.ts'
import { SettingsForm } from './SettingsForm.tsx'

export function SettingsPage() {
  const userId = usePathUser()
  const { stockCode: code = '' } = useParams()
  const home = useHome()
  const query = useQuery(read('stock', { params: { userId, code }, query: { withSavedGain: 'true' } }))
  return (
    <Page title="Settings" name={query.data ? `${query.data.name} 설정` : '종목 설정'} homeHref={home} wide>
      <QueryView query={query} heights={[1_640]}>
        {(stock) => <SettingsForm live={stock} />}
      </QueryView>
    </Page>
  )
}

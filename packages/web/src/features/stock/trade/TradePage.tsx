import type { Stock } from '@digger/contract'
import { readWon } from '@digger/contract/typed-number'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { useFailure } from '../../../api/problem.ts'
import { read } from '../../../api/read.ts'
import { Page } from '../../../components/Page.tsx'
import { useHome, useViewer } from '../../../viewer/viewer.ts'
import { useFlags, useTexts, flagText } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { oldTradeItem, savedGainItem, tradesFileItem, viewChips } from '../menuItems.ts'
import { AddStock } from './AddStock.tsx'
import { useBalanceCheck } from './BalanceCheck.tsx'
import { adminTradeMenu } from './tradeActions.ts'
import { SimulatedPrice, TradeColumns } from './TradeColumns.tsx'

/** What follows no price is here; what does is in the columns, so that a price draws only those anew. */
export function TradePage() {
  const client = useQueryClient()
  const { stockCode: code = '' } = useParams()
  const home = useHome()
  const { admin } = useViewer()
  const [view, setView] = useFlags({ withSavedGain: true, withOldTrade: false })
  const [text, setTexts] = useTexts()
  const params = { userId: usePathUser(), code }
  const simulPrice = readWon(text('simulPrice')) || undefined
  const simulated = simulPrice === undefined ? {} : { simulPrice }
  const query = { withSavedGain: flagText(view.withSavedGain), ...simulated }
  const reading = read('stock', { params, query })
  const name = useQuery({ ...reading, select: nameOf })
  const balance = useBalanceCheck(params, name.data ?? code)
  const menu = [savedGainItem(view, setView), oldTradeItem(view, setView), tradesFileItem(params)]
  if (admin) {
    const setSimulPrice = (price: string) => setTexts({ simulPrice: price })
    const stock = () => client.getQueryData(reading.queryKey)
    menu.push(...adminTradeMenu(params, { ...balance, stock, setSimulPrice }))
  }
  const unknown = useFailure(name)?.code === 'NOT_FOUND'
  return (
    <Page
      title="Trade"
      name={name.data ?? '매매'}
      homeHref={home}
      menu={unknown ? [] : menu}
      {...(!unknown && { chips: [viewChips(['withSavedGain', 'withOldTrade'], view, setView)] })}
      wide
    >
      {simulPrice !== undefined && <SimulatedPrice price={simulPrice} />}
      {unknown ? (
        <AddStock code={code} />
      ) : (
        <TradeColumns place={params} query={query} view={view} checked={balance.checked} />
      )}
    </Page>
  )
}

const nameOf = ({ name }: Stock): string => name

import { readWon } from '@digger/contract/typed-number'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { useFailure } from '../../../api/problem.ts'
import { read } from '../../../api/read.ts'
import { QueryView } from '../../../components/QueryView.tsx'
import { Page } from '../../../components/Page.tsx'
import { useHome, useViewer } from '../../../viewer/viewer.ts'
import { useFlags, useTexts, flagText } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { oldTradeItem, savedGainItem, tradesFileItem, viewChips } from '../menuItems.ts'
import { AddStock } from './AddStock.tsx'
import { BalanceCheck, useBalanceCheck } from './BalanceCheck.tsx'
import { adminTradeMenu } from './tradeActions.ts'
import { SimulatedPrice, TradeColumns } from './TradeColumns.tsx'

export function TradePage() {
  const userId = usePathUser()
  const { stockCode: code = '' } = useParams()
  const home = useHome()
  const { admin } = useViewer()
  const [view, setView] = useFlags({ withSavedGain: true, withOldTrade: false })
  const [text, setTexts] = useTexts()
  const simulPrice = readWon(text('simulPrice')) || undefined
  const simulated = simulPrice === undefined ? {} : { simulPrice }
  const withSavedGain = flagText(view.withSavedGain)
  const params = { userId, code }
  const stock = useQuery(read('stock', { params, query: { withSavedGain, ...simulated } }))
  const trades = useQuery({
    ...read('trades', { params, query: { withOldTrade: flagText(view.withOldTrade), withSavedGain, ...simulated } }),
    enabled: stock.data !== undefined,
  })
  const { name, checked, check } = useBalanceCheck(params, stock.data?.name ?? code)
  const menu = [savedGainItem(view, setView), oldTradeItem(view, setView), tradesFileItem(params)]
  if (admin) {
    const setSimulPrice = (price: string) => setTexts({ simulPrice: price })
    menu.push(...adminTradeMenu(params, { stock: stock.data, name, check, setSimulPrice }))
  }
  const unknown = useFailure(stock)?.code === 'NOT_FOUND'
  return (
    <Page
      title="Trade"
      name={stock.data?.name ?? '매매'}
      homeHref={home}
      menu={unknown ? [] : menu}
      {...(!unknown && { chips: [viewChips(['withSavedGain', 'withOldTrade'], view, setView)] })}
      wide
    >
      {simulPrice !== undefined && <SimulatedPrice price={simulPrice} />}
      {unknown ? (
        <AddStock code={code} />
      ) : (
        <QueryView query={stock} heights={[424, 60, 460]}>
          {(data) => (
            <TradeColumns
              stock={data}
              trades={trades}
              view={view}
              balanceCheck={<BalanceCheck stock={data} place={params} checked={checked} />}
            />
          )}
        </QueryView>
      )}
    </Page>
  )
}

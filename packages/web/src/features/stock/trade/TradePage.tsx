import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { useFailure } from '../../../api/problem.ts'
import { read } from '../../../api/read.ts'
import { Faces } from '../../../components/Faces.tsx'
import { Page } from '../../../components/Page.tsx'
import { typedNumber, won } from '../../../format/won.ts'
import { useHome, useViewer } from '../../../viewer/viewer.ts'
import { useFlags, useTexts, flagText } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { oldTradeItem, savedGainItem } from '../menuItems.ts'
import { StockCard } from '../StockCard.tsx'
import { StockStop } from '../StockStop.tsx'
import { AddStock } from './AddStock.tsx'
import { BalanceCheck, useBalanceCheck } from './BalanceCheck.tsx'
import { Chart } from './Chart.tsx'
import { Reasons } from './Reasons.tsx'
import { adminTradeMenu } from './tradeActions.ts'
import css from './TradePage.module.css'
import { NoTrades, Trades } from './Trades.tsx'

export function TradePage() {
  const userId = usePathUser()
  const { stockCode: code = '' } = useParams()
  const home = useHome()
  const { admin } = useViewer()
  const [view, setView] = useFlags({ withSavedGain: true, withOldTrade: false })
  const [text, setTexts] = useTexts()
  const simulPrice = typedNumber(text('simulPrice')) || undefined
  const simulated = simulPrice === undefined ? {} : { simulPrice }
  const withSavedGain = flagText(view.withSavedGain)
  const params = { userId, code }
  const stock = useQuery(read('stock', { params, query: { withSavedGain, ...simulated } }))
  const trades = useQuery({
    ...read('trades', { params, query: { withOldTrade: flagText(view.withOldTrade), withSavedGain, ...simulated } }),
    enabled: stock.data !== undefined,
  })
  const { checked, checking, check } = useBalanceCheck(params)
  const menu = [savedGainItem(view, setView), oldTradeItem(view, setView)]
  if (admin) {
    const setSimulPrice = (price: string) => setTexts({ simulPrice: price })
    menu.push(...adminTradeMenu(params, { stock: stock.data, check, setSimulPrice }))
  }
  const unknown = useFailure(stock)?.code === 'NOT_FOUND'
  return (
    <Page title="Trade" name={stock.data?.name ?? '매매'} homeHref={home} menu={unknown ? [] : menu} wide>
      {simulPrice !== undefined && (
        <output className={css['simulated']}>
          가상 가격 <b>{won(simulPrice)}</b>으로 계산한 화면입니다. 실제 가격이 아닙니다.
        </output>
      )}
      {unknown ? (
        <AddStock code={code} />
      ) : (
        <Faces query={stock}>
          {(data) => (
            <div className={css['columns']}>
              <div>
                <StockCard stock={data} withSavedGain={view.withSavedGain} showDetail />
                <div className={css['tools']}>
                  <Link href={`/${userId}/stock/${code}/settings`}>설정과 다음 주문</Link>
                  <StockStop stock={data} />
                </div>
                <BalanceCheck stock={data} checked={checked} checking={checking} />
                <Chart stock={data} trades={trades.data ?? []} />
                <Reasons stock={data} />
              </div>
              <Faces
                query={trades}
                empty={{ when: (list) => list.length === 0, show: <NoTrades old={view.withOldTrade} /> }}
              >
                {(list) => <Trades trades={list} stock={data} />}
              </Faces>
            </div>
          )}
        </Faces>
      )}
    </Page>
  )
}

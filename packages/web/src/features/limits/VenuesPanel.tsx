import type { Venues } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { CheckField } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './LimitsPage.module.css'

const CHOICES: readonly { readonly name: keyof Venues; readonly label: string; readonly help: string }[] = [
  {
    name: 'sor',
    label: '정규장에 SOR로 주문',
    help: 'NXT에서도 거래되는 종목은 증권사가 두 거래소 가운데 유리한 곳으로 보냅니다. 끄면 KRX로만 보냅니다.',
  },
  {
    name: 'preMarket',
    label: 'NXT 프리마켓 (08:00–08:50)',
    help: '08:50에 끝나는 주문을 내고, 그 뒤에는 정규장에 다시 냅니다.',
  },
  {
    name: 'afterMarket',
    label: '애프터마켓 (16:00–20:00, NXT는 15:40부터)',
    help: '정규장이 끝난 뒤에도 사고팝니다. ETF·ETN, 코넥스, 투자경고 종목은 KRX 애프터마켓에 없습니다.',
  },
]

/** Which sessions and venues beside KRX's regular session Digger may use for this account. */
export function VenuesPanel() {
  const userId = usePathUser()
  const client = useQueryClient()
  const place = { params: { userId } }
  const query = useQuery(read('venues', place))
  const { queryKey } = read('venues', place)
  // The boxes move at once; what is sent follows in the order of the presses, each with all that was chosen before it.
  const [chosen, setChosen] = useState<Venues | null>(null)
  const latest = useRef<Venues | null>(null)
  const sending = useRef(Promise.resolve())
  const settle = (venues: Venues | null) => {
    latest.current = venues
    setChosen(venues)
  }
  const sendAfter = async (before: Promise<void>, venues: Venues) => {
    await before
    const reply = await send('setVenues', { ...place, body: venues })
    if (reply === null) await client.invalidateQueries({ queryKey })
    else client.setQueryData(queryKey, reply)
    if (reply === null || latest.current === venues) settle(null)
  }
  const choose = (seen: Venues, change: Partial<Venues>) => {
    const venues = { ...(latest.current ?? seen), ...change }
    settle(venues)
    sending.current = sendAfter(sending.current, venues)
  }
  return (
    <Panel>
      <h2>거래소와 시간</h2>
      <p className={css['note']}>
        고르지 않으면 KRX 정규장에만 주문합니다. 실전 계좌에서는 작은 금액으로 먼저 확인한 뒤 켜 주세요.
      </p>
      <QueryView query={query}>
        {(venues) =>
          CHOICES.map(({ name, label, help }) => (
            <CheckField
              key={name}
              name={name}
              label={label}
              help={help}
              checked={(chosen ?? venues)[name]}
              onChange={(on) => choose(venues, { [name]: on })}
            />
          ))
        }
      </QueryView>
    </Panel>
  )
}

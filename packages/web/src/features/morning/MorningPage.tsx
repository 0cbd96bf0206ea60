import type { Morning } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { Icon } from '../../components/Icon.tsx'
import { Note } from '../../components/Note.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { useHome } from '../../viewer/viewer.ts'
import css from './MorningPage.module.css'
import { ITEM_TITLES, STATE_WORDS, summaryOf } from './morningText.ts'

/** What is looked at here changes with no event of the stream, ms. */
const REREAD_MS = 3_000

/** What the account has before it trades by itself, and what it waits for. */
export function MorningPage() {
  const userId = usePathUser()
  const query = useQuery({ ...read('morning', { params: { userId } }), refetchInterval: REREAD_MS })
  return (
    <Page title="Morning" name="아침 점검" homeHref={useHome()}>
      <QueryView query={query} heights={[84, 980]}>
        {(morning) => (
          <>
            <Summary morning={morning} />
            <Panel label="점검한 것">
              <ul className={css['items']}>
                {morning.items.map((item) => (
                  <Item key={item.item} item={item} />
                ))}
              </ul>
            </Panel>
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Summary({ morning }: { morning: Morning }) {
  const { tone, icon, title, text } = summaryOf(morning)
  return (
    <output className={css['summary']}>
      <Note tone={tone} icon={icon} title={title}>
        {text}
      </Note>
    </output>
  )
}

function Item({ item: { item, state, since, text, stocks } }: { item: Morning['items'][number] }) {
  const { word, icon } = STATE_WORDS[state]
  return (
    <li data-state={state}>
      <div className={css['head']}>
        <h2>{ITEM_TITLES[item]}</h2>
        <b>
          <Icon name={icon} size={18} /> {word}
        </b>
      </div>
      <p>{text}</p>
      {state !== 'ok' && stocks.length > 0 && <Stocks stocks={stocks} />}
      {since !== null && (
        <p className={css['since']}>
          <time dateTime={since}>{stamp(since).slice(3)}</time>부터
        </p>
      )}
    </li>
  )
}

function Stocks({ stocks }: { stocks: Morning['items'][number]['stocks'] }) {
  const userId = usePathUser()
  return (
    <ul className={css['stocks']}>
      {stocks.map(({ code, name }) => (
        <li key={code}>
          <Link href={`/${userId}/stock/${code}/trade`}>{name}</Link>
        </li>
      ))}
    </ul>
  )
}

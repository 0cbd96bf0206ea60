import { setTimeout as delay } from 'node:timers/promises'
import { koreanDay } from './korean-time.ts'
import {
  eachOnce,
  ListChanged,
  NotReadable,
  pageOf,
  type ListedOrder,
  type OddRow,
  type OrderList,
} from './order-list.ts'

/** Everything here is written from the broker's protocol pages alone: a mistake of its client must not be made twice. */
export interface BrokerPlace {
  readonly url: string
  readonly env: 'real' | 'paper'
  /** From the end of one call to the next of one account, ms: the ledger takes about one a second. */
  readonly spacingMs: number
}

export interface Access {
  readonly appKey: string
  readonly appSecret: string
  /** Ten digits: account and product. */
  readonly accountNumber: string
  /** The server's own. There is no way here to ask for another: a new one may end the old. */
  readonly token: string
}

const PATH = '/uapi/domestic-stock/v1/trading/inquire-daily-ccld'
const TR_ID = { real: 'TTTC0081R', paper: 'VTTC0081R' } as const
const FULL_PAGE = { real: 100, paper: 15 } as const
const MAX_PAGES = 60
/** A busy account changes while it is read; the next look tries again. */
const MAX_TRIES = 3
const TIMEOUT_MS = 10_000

/** Reads the broker's orders of its present day, all pages, anew where the list changes meanwhile. Throws NotReadable. */
export async function readOrderList(place: BrokerPlace, access: Access, now: number): Promise<OrderList> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readPages(place, access, now)
    } catch (error) {
      if (!(error instanceof ListChanged) || tries >= MAX_TRIES) throw error
    }
    await delay(place.spacingMs)
  }
}

async function readPages(place: BrokerPlace, access: Access, now: number): Promise<OrderList> {
  const day = koreanDay(now)
  const rows: ListedOrder[] = []
  const odd: OddRow[] = []
  let cursor = { fk: '', nk: '' }
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    if (pages > 1) await delay(place.spacingMs)
    const { body, more, at = now } = await ask(place, access, { day, cursor, isFirst: pages === 1 })
    const page = pageOf(body, day)
    rows.push(...page.rows)
    odd.push(...page.odd)
    if (more === null && page.count >= FULL_PAGE[place.env])
      throw new NotReadable('a full page does not say whether it is the last')
    if (more !== true) {
      if (koreanDay(at) !== day) throw new NotReadable('at the broker it is another day')
      return { orders: eachOnce(rows), odd, at }
    }
    if (page.count === 0 || (page.cursor.fk === cursor.fk && page.cursor.nk === cursor.nk))
      throw new NotReadable('the next page is not named')
    cursor = page.cursor
  }
  throw new NotReadable(`the list has more than ${MAX_PAGES} pages`)
}

interface Question {
  readonly day: string
  readonly cursor: { readonly fk: string; readonly nk: string }
  readonly isFirst: boolean
}

async function ask({ url, env }: BrokerPlace, access: Access, { day, cursor, isFirst }: Question) {
  const query = new URLSearchParams({
    CANO: access.accountNumber.slice(0, 8),
    ACNT_PRDT_CD: access.accountNumber.slice(8),
    INQR_STRT_DT: day,
    INQR_END_DT: day,
    SLL_BUY_DVSN_CD: '00',
    // Oldest first, so that a new order moves no row over the end of a page.
    INQR_DVSN: '01',
    PDNO: '',
    CCLD_DVSN: '00',
    ORD_GNO_BRNO: '',
    ODNO: '',
    INQR_DVSN_3: '00',
    INQR_DVSN_1: '',
    EXCG_ID_DVSN_CD: env === 'paper' ? 'KRX' : 'ALL',
    CTX_AREA_FK100: cursor.fk,
    CTX_AREA_NK100: cursor.nk,
  })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    authorization: `Bearer ${access.token}`,
    appkey: access.appKey,
    appsecret: access.appSecret,
    tr_id: TR_ID[env],
    custtype: 'P',
    tr_cont: isFirst ? '' : 'N',
  }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await fetch(`${url}${PATH}?${query.toString()}`, { headers, signal, redirect: 'error' })
    const body: unknown = await reply.json()
    return { body, more: isMore(reply.headers.get('tr_cont')), at: timeOf(reply.headers.get('date')) }
  } catch (error) {
    throw new NotReadable(`no reply: ${error instanceof Error ? error.name : 'unknown'}`, { cause: error })
  }
}

/** Only this header says whether more pages follow; null where it does not. */
function isMore(header: string | null): boolean | null {
  const code = header?.trim() ?? null
  if (code === 'F' || code === 'M') return true
  return code === 'D' || code === 'E' ? false : null
}

function timeOf(header: string | null): number | undefined {
  const at = Date.parse(header ?? '')
  return Number.isNaN(at) ? undefined : at
}

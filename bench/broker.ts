/**
 * As little broker as an order path needs, in a thread of its own: it takes tokens, registrations and orders, lists the
 * orders it took, and measures how long an order took from the tick that caused it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { WebSocket, WebSocketServer } from 'ws'
import { TICK_FIELDS } from '@digger/kis'

const DAY = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
const OK = { rt_cd: '0', msg_cd: 'APBK0013', msg1: '정상' }

const STOCK_INFO = {
  prdt_name: '종목',
  prdt_abrv_name: '종목',
  mket_id_cd: 'STK',
  scty_grp_id_cd: 'ST',
  tr_stop_yn: 'N',
  cptt_trad_tr_psbl_yn: 'Y',
  nxt_tr_stop_yn: 'N',
}
const PRICE = {
  stck_prpr: '75000',
  stck_sdpr: '75000',
  stck_oprc: '75000',
  stck_hgpr: '75000',
  stck_lwpr: '75000',
  stck_mxpr: '97500',
  stck_llam: '52500',
  acml_vol: '1',
  aspr_unit: '100',
  iscd_stat_cls_code: '55',
  temp_stop_yn: 'N',
  rprs_mrkt_kor_name: 'KOSPI',
}

/** What is waited for comes within this, ms, or the measurement ends with an error. */
const ANSWER_TIMEOUT_MS = 30_000

/** Asks for one tick of a code; `wait` says what ends the measurement. */
interface TickRequest {
  readonly code: string
  readonly price: number
  readonly wait: 'order' | 'cashQuery' | 'nothing' | 'unasked'
}

/** Accounts whose number begins like this have no cash. */
const POOR = '19'

export interface BenchBroker {
  readonly url: string
  readonly wsUrl: string
  /** Time from the tick leaving to the order's last byte (or to the query of cash), µs; 0 when nothing is waited for. */
  tick(ask: TickRequest): Promise<number>
  /** The same beside whatever is measured: nothing is waited for. */
  push(code: string, price: number): void
  close(): Promise<unknown>
}

export async function startBroker(): Promise<BenchBroker> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'bench-broker' })
  const [port]: unknown[] = await once(worker, 'message')
  return {
    url: `http://127.0.0.1:${String(port)}`,
    wsUrl: `ws://127.0.0.1:${String(port)}`,
    async tick(ask) {
      worker.postMessage(ask, [])
      const [took]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).catch(
        (error: unknown) => {
          throw new Error(`no ${ask.wait} came for ${ask.code} at ${ask.price}`, { cause: error })
        },
      )
      return Number(took)
    },
    push: (code, price) => worker.postMessage({ code, price, wait: 'unasked' } satisfies TickRequest, []),
    close: () => worker.terminate(),
  }
}

/** Builds the frame of one trade at a price, in the broker's 47 fields. */
function frame(code: string, price: number): Buffer {
  const values: Partial<Record<(typeof TICK_FIELDS)[number], string>> = {
    MKSC_SHRN_ISCD: code,
    STCK_CNTG_HOUR: '100000',
    STCK_PRPR: String(price),
    // Since the day's base: another one would show that what was read is of another day.
    PRDY_VRSS: String(price - Number(PRICE.stck_sdpr)),
    HOUR_CLS_CODE: '0',
    TRHT_YN: 'N',
    BSOP_DATE: DAY,
  }
  return Buffer.from(`0|H0STCNT0|001|${TICK_FIELDS.map((name) => values[name] ?? '1000').join('^')}`)
}

/** The rows of each account's list of orders, by account number. */
const orders = new Map<string, object[]>()
const watchers = new Map<string, WebSocket>()
let orderCount = 0
let waiting: { code: string; wait: string; since: bigint } | null = null

function settleWait(code: string, wait: string): void {
  if (waiting?.code !== code || waiting.wait !== wait) return
  parentPort?.postMessage(Number(process.hrtime.bigint() - waiting.since) / 1_000, [])
  waiting = null
}

function tick({ code, price, wait }: TickRequest): void {
  const bytes = frame(code, price)
  if (wait !== 'unasked') waiting = { code, wait, since: process.hrtime.bigint() }
  watchers.get(code)?.send(bytes, { binary: false })
  if (wait === 'nothing') {
    waiting = null
    parentPort?.postMessage(0, [])
  }
}

function acceptOrder(text: string): object {
  const order: Record<string, string> = JSON.parse(text)
  const { CANO = '', PDNO = '', ORD_QTY = '', ORD_UNPR = '' } = order
  settleWait(PDNO, 'order')
  const odno = String((orderCount += 1)).padStart(10, '0')
  const row = {
    ord_dt: DAY,
    ord_tmd: '100000',
    ord_gno_brno: '06010',
    odno,
    orgn_odno: '',
    pdno: PDNO,
    prdt_name: PDNO,
    sll_buy_dvsn_cd: '02',
    ord_qty: ORD_QTY,
    ord_unpr: ORD_UNPR,
    tot_ccld_qty: '0',
    tot_ccld_amt: '0',
    rmn_qty: ORD_QTY,
    rjct_qty: '0',
    cncl_yn: 'N',
    excg_id_dvsn_cd: 'KRX',
  }
  orders.set(CANO, [...(orders.get(CANO) ?? []), row])
  return { ...OK, output: { KRX_FWDG_ORD_ORGNO: '06010', ODNO: odno, ORD_TMD: '100000' } }
}

function replyTo(url: URL, text: string): object {
  const call = url.pathname.split('/').at(-1) ?? ''
  const account = url.searchParams.get('CANO') ?? ''
  if (call === 'tokenP') return { access_token: 'bench', expires_in: 86_400, token_type: 'Bearer' }
  if (call === 'Approval') return { approval_key: 'bench' }
  if (call === 'order-cash') return acceptOrder(text)
  if (call === 'inquire-daily-ccld') return { ...OK, output1: orders.get(account) ?? [], output2: {} }
  if (call === 'inquire-psbl-order') {
    const cash = account.startsWith(POOR) ? '0' : '9000000000'
    const output = { ord_psbl_cash: cash, nrcvb_buy_amt: cash, nrcvb_buy_qty: cash.slice(0, 5) }
    return { ...OK, output }
  }
  if (call === 'inquire-price') return { ...OK, output: PRICE }
  if (call === 'search-stock-info') return { ...OK, output: { ...STOCK_INFO, pdno: url.searchParams.get('PDNO') } }
  const output2 = [{ prvs_rcdl_excc_amt: '9000000000', scts_evlu_amt: '0' }]
  return { ...OK, output1: [], output2 }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function reply(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const body = JSON.stringify(replyTo(url, await textOf(request)))
  response.writeHead(200, { 'content-type': 'application/json', tr_cont: 'D' })
  response.end(body, () => settleWait(url.searchParams.get('PDNO') ?? '', 'cashQuery'))
}

function serve(): void {
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bench')
    void reply(request, response, url)
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { body, header } = JSON.parse(data.toString('utf8'))
      const { tr_id, tr_key } = body.input
      if (tr_id === 'H0STCNT0') watchers.set(tr_key, socket)
      const ack = { rt_cd: '0', msg_cd: 'OPSP0000', msg1: 'SUBSCRIBE SUCCESS' }
      const output = { iv: '0'.repeat(16), key: '0'.repeat(32) }
      if (header.tr_type === '1') socket.send(JSON.stringify({ header: { tr_id, tr_key }, body: { ...ack, output } }))
    })
  })
  parentPort?.on('message', tick)
  http.listen(0, '127.0.0.1', () => {
    const address = http.address()
    parentPort?.postMessage(typeof address === 'object' ? address?.port : null, [])
  })
}

if (!isMainThread && workerData === 'bench-broker') serve()

import { createDecipheriv } from 'node:crypto'
import { once } from 'node:events'
import type { KisCredentials } from '@digger/kis'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { demoAccounts, demoCredentials, startSim, type Sim, type SimOptions } from '../src/index.ts'
import { NOTICE, NOTICE_CHANNEL, TICK, WIRE, type WireName } from './wire.ts'

/** An instant in Korea; the day is a Friday unless said otherwise. */
export const at = (time: string, day = '2026-11-20'): number => Date.parse(`${day}T${time}+09:00`)

/** A market that stands still: time and prices move only when told, nothing is late. */
export const stillSim = (options: SimOptions = {}): Promise<Sim> =>
  startSim({
    port: 0,
    hours: 'always',
    clock: { mode: 'manual', start: at('10:00:00') },
    limits: 'off',
    accounts: demoAccounts(2),
    ...options,
  })

const Row = z.record(z.string(), z.string())
export type Row = z.infer<typeof Row>
const Rows = z.union([z.array(Row), Row.transform((row) => [row])]).default([])
const Body = z.looseObject({
  rt_cd: z.string().default(''),
  msg_cd: z.string().default(''),
  msg1: z.string().default(''),
  output: Rows,
  output1: Rows,
  output2: Rows,
})

export interface Reply extends z.infer<typeof Body> {
  readonly status: number
  readonly cont: string | null
}

export interface OrderText {
  readonly side?: 'buy' | 'sell'
  readonly code?: string
  readonly division?: string
  readonly count: number
  readonly price?: number
  readonly venue?: string
}

/** Speaks plain HTTP the way the broker's own samples do. */
export class RawClient {
  /** Another one after a restart. */
  sim: Pick<Sim, 'url' | 'wsUrl'>
  readonly credentials: KisCredentials
  readonly env: 'real' | 'paper'
  #token = ''

  private constructor(sim: Pick<Sim, 'url' | 'wsUrl'>, credentials: KisCredentials, env: 'real' | 'paper') {
    this.sim = sim
    this.credentials = credentials
    this.env = env
  }

  static async login(
    sim: Pick<Sim, 'url' | 'wsUrl'>,
    credentials = demoCredentials(0),
    env: 'real' | 'paper' = 'real',
  ): Promise<RawClient> {
    const client = new RawClient(sim, credentials, env)
    await client.renew()
    return client
  }

  async renew(): Promise<void> {
    const { appKey: appkey, appSecret: appsecret } = this.credentials
    const reply = await this.#post('/oauth2/tokenP', { grant_type: 'client_credentials', appkey, appsecret }, {})
    this.#token = z.object({ access_token: z.string() }).parse(await reply.json()).access_token
  }

  get headers(): Record<string, string> {
    const { appKey: appkey, appSecret: appsecret } = this.credentials
    return { authorization: `Bearer ${this.#token}`, appkey, appsecret, custtype: 'P' }
  }

  get identity(): Record<string, string> {
    const { accountNumber } = this.credentials
    return { CANO: accountNumber.slice(0, 8), ACNT_PRDT_CD: accountNumber.slice(8) }
  }

  async call(
    name: WireName,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const { path, method } = WIRE[name]
    const id = WIRE[name][this.env] ?? WIRE[name].real
    const all = { ...this.headers, tr_id: id, tr_cont: '', ...headers }
    const input = path.includes('/trading/') ? { ...this.identity, ...fields } : fields
    const reply =
      method === 'POST'
        ? await this.#post(path, input, all)
        : await fetch(`${this.sim.url}${path}?${new URLSearchParams(input).toString()}`, { headers: all })
    const text = await reply.text()
    const body = Body.parse(text.startsWith('{') ? JSON.parse(text) : {})
    return { ...body, status: reply.status, cont: reply.headers.get('tr_cont') }
  }

  order({
    side = 'buy',
    code = '005930',
    division = '00',
    count,
    price = 0,
    venue = 'KRX',
  }: OrderText): Promise<Reply> {
    return this.call(side === 'buy' ? 'orderBuy' : 'orderSell', {
      PDNO: code,
      ORD_DVSN: division,
      ORD_QTY: String(count),
      ORD_UNPR: String(price),
      EXCG_ID_DVSN_CD: venue,
      SLL_TYPE: '',
      CNDT_PRIC: '',
    })
  }

  change(odno: string, how: { price?: number; count?: number; venue?: string } = {}): Promise<Reply> {
    return this.call('orderRevise', {
      KRX_FWDG_ORD_ORGNO: '',
      ORGN_ODNO: odno,
      ORD_DVSN: '00',
      RVSE_CNCL_DVSN_CD: how.price === undefined ? '02' : '01',
      ORD_QTY: String(how.count ?? 0),
      ORD_UNPR: String(how.price ?? 0),
      QTY_ALL_ORD_YN: how.count === undefined ? 'Y' : 'N',
      EXCG_ID_DVSN_CD: how.venue ?? 'KRX',
    })
  }

  executions(more: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Reply> {
    const days = { INQR_STRT_DT: '20260901', INQR_END_DT: '20261231', SLL_BUY_DVSN_CD: '00', INQR_DVSN: '01' }
    const rest = { PDNO: '', CCLD_DVSN: '00', ODNO: '', EXCG_ID_DVSN_CD: 'ALL', CTX_AREA_FK100: '', CTX_AREA_NK100: '' }
    return this.call('executions', { ...days, ...rest, ...more }, headers)
  }

  balance(more: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call(
      'balance',
      { AFHR_FLPR_YN: 'N', INQR_DVSN: '01', CTX_AREA_FK100: '', CTX_AREA_NK100: '', ...more },
      headers,
    )
  }

  async approval(): Promise<string> {
    const { appKey: appkey, appSecret: secretkey } = this.credentials
    const reply = await this.#post('/oauth2/Approval', { grant_type: 'client_credentials', appkey, secretkey }, {})
    return z.object({ approval_key: z.string() }).parse(await reply.json()).approval_key
  }

  async socket(path = '/tryitout'): Promise<RawSocket> {
    return RawSocket.open(this, await this.approval(), path)
  }

  #post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
    const all = { 'content-type': 'application/json', ...headers }
    return fetch(`${this.sim.url}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) })
  }
}

export const Ack = z.object({
  header: z.object({ tr_id: z.string(), tr_key: z.string(), encrypt: z.string() }),
  body: z.object({
    rt_cd: z.string(),
    msg_cd: z.string(),
    msg1: z.string(),
    output: z.object({ iv: z.string(), key: z.string() }).optional(),
  }),
})

/** A socket that records what it receives, and can wait for the next message. */
export class RawSocket {
  readonly ws: WebSocket
  readonly received: string[] = []
  readonly #client: RawClient
  readonly #approval: string
  readonly #secrets = new Map<string, { iv: string; key: string }>()
  #next = 0

  private constructor(ws: WebSocket, client: RawClient, approval: string) {
    this.ws = ws
    this.#client = client
    this.#approval = approval
    ws.on('message', (data: Buffer) => {
      this.received.push(data.toString('utf8'))
      ws.emit('received')
    })
    ws.on('error', () => undefined)
  }

  static async open(client: RawClient, approval: string, path: string): Promise<RawSocket> {
    const ws = new WebSocket(`${client.sim.wsUrl}${path}`)
    const socket = new RawSocket(ws, client, approval)
    await once(ws, 'open')
    return socket
  }

  /** The next message not taken yet, PINGPONG left out. */
  async take(): Promise<string> {
    for (;;) {
      const text = this.received[this.#next]
      if (text !== undefined) {
        this.#next++
        if (!text.includes('PINGPONG')) return text
      } else await once(this.ws, 'received')
    }
  }

  ask(trId: string, key: string, type: '1' | '2' = '1', approval = this.#approval): void {
    const header = { approval_key: approval, custtype: 'P', tr_type: type, 'content-type': 'utf-8' }
    this.ws.send(JSON.stringify({ header, body: { input: { tr_id: trId, tr_key: key } } }))
  }

  async register(trId: string, key: string, type: '1' | '2' = '1'): Promise<z.infer<typeof Ack>> {
    this.ask(trId, key, type)
    const ack = Ack.parse(JSON.parse(await this.take()))
    if (ack.body.output) this.#secrets.set(trId, ack.body.output)
    return ack
  }

  notices(): Promise<z.infer<typeof Ack>> {
    return this.register(NOTICE_CHANNEL[this.#client.env], this.#client.credentials.htsId)
  }

  /** The next data frame, decrypted, by field name. */
  async frame(): Promise<{ trId: string; count: number; values: string[] }> {
    const [flag, trId = '', count, body = ''] = (await this.take()).split('|')
    return { trId, count: Number(count), values: (flag === '1' ? this.#decrypt(trId, body) : body).split('^') }
  }

  async tick(): Promise<Row> {
    return named(TICK, (await this.frame()).values)
  }

  async notice(): Promise<Row> {
    return named(NOTICE, (await this.frame()).values)
  }

  #decrypt(trId: string, body: string): string {
    const { iv, key } = this.#secrets.get(trId) ?? { iv: '', key: '' }
    const cipher = createDecipheriv('aes-256-cbc', key, iv)
    return Buffer.concat([cipher.update(body, 'base64'), cipher.final()]).toString('utf8')
  }
}

const named = (fields: readonly string[], values: readonly string[]): Row =>
  Object.fromEntries(fields.map((field, i) => [field, values[i] ?? '']))

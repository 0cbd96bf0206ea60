/**
 * Reading ticks. Every speed is a ratio of two cells measured in the same interleaved rounds, and is printed only after
 * both were seen to give the same ticks.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { deepStrictEqual, throws } from 'node:assert/strict'
import { WebSocket, WebSocketServer } from 'ws'
import { ProtocolError, TICK_FIELDS, TickDecoder, UNLIMITED, createKis } from '@digger/kis'
import type { Tick } from '@digger/kis'
import { cpuSpent, interleaved, printFigure, ratios } from './measure.ts'

const FRAMES = 4_000
const RECEIVED = 60_000
/** A registration; the tick server starts to send at those of GS and GB codes. */
const registering = (code: string): string =>
  `{"header":{"approval_key":"k","tr_type":"1"},"body":{"input":{"tr_id":"H0STCNT0","tr_key":"${code}"}}}`

/** Same frames in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

/** A record as measured live: 47 fields, about 250 bytes. */
function record(random: () => number): string {
  const whole = (max: number): string => String(1 + Math.floor(random() * max))
  const price = 1_000 + Math.floor(random() * 300_000)
  const values: Partial<Record<(typeof TICK_FIELDS)[number], string>> = {
    MKSC_SHRN_ISCD: String(Math.floor(random() * 41) * 10).padStart(6, '0'),
    STCK_CNTG_HOUR: '09' + String(Math.floor(random() * 60)).padStart(2, '0') + '31',
    STCK_PRPR: String(price),
    PRDY_VRSS: String(Math.floor((random() - 0.5) * price * 0.2)),
    WGHN_AVRG_STCK_PRC: (price * 0.99).toFixed(2),
    BSOP_DATE: '20261116',
    NEW_MKOP_CLS_CODE: '20',
    TRHT_YN: 'N',
    HOUR_CLS_CODE: random() < 0.03 ? 'C' : '0',
    MRKT_TRTM_CLS_CODE: '',
    ACML_VOL: whole(30_000_000),
    ACML_TR_PBMN: whole(900_000_000_000),
    OPRC_HOUR: '090011',
    HGPR_HOUR: '091502',
    LWPR_HOUR: '090440',
    MARKET_CLS_CODE: '2',
  }
  const prices = new Set<string>(['STCK_OPRC', 'STCK_HGPR', 'STCK_LWPR', 'ASKP1', 'BIDP1', 'VI_STND_PRC'])
  return TICK_FIELDS.map((name) => values[name] ?? (prices.has(name) ? String(price) : whole(9_999))).join('^')
}

const frame = (records: readonly string[]): Buffer =>
  Buffer.from(`0|H0STCNT0|${String(records.length).padStart(3, '0')}|${records.join('^')}`)

function framesOf(perFrame: number, count: number): Buffer[] {
  const random = seeded(20_261_116)
  return Array.from({ length: count }, () => frame(Array.from({ length: perFrame }, () => record(random))))
}

const at = (name: (typeof TICK_FIELDS)[number]): number => TICK_FIELDS.indexOf(name)
const [CODE, TIME, PRICE, CHANGE] = [at('MKSC_SHRN_ISCD'), at('STCK_CNTG_HOUR'), at('STCK_PRPR'), at('PRDY_VRSS')]
const [OPEN, HIGH, LOW, VOLUME] = [at('STCK_OPRC'), at('STCK_HGPR'), at('STCK_LWPR'), at('ACML_VOL')]
const [HALTED, HOUR_CLASS] = [at('TRHT_YN'), at('HOUR_CLS_CODE')]

/** The usual way: one string of the frame, split twice. */
function bySplitting(buffer: Buffer): Tick[] {
  const [, , count = '0', payload = ''] = buffer.toString('utf8').split('|')
  const values = payload.split('^')
  const fields = values.length / Number(count)
  const ticks: Tick[] = []
  for (let start = 0; start < values.length; start += fields) {
    const price = Number(values[start + PRICE])
    ticks.push({
      code: values[start + CODE] ?? '',
      venue: 'KRX',
      price,
      time: Number(values[start + TIME]),
      open: Number(values[start + OPEN]),
      high: Number(values[start + HIGH]),
      low: Number(values[start + LOW]),
      volume: Number(values[start + VOLUME]),
      base: price - Number(values[start + CHANGE]),
      trade: values[start + HOUR_CLASS] === '0' && price > 0,
      collects: values[start + HOUR_CLASS] === 'C',
      halted: values[start + HALTED] === 'Y',
    })
  }
  return ticks
}

/** The least any reader must do: look at every byte once. */
function byteLoop(buffer: Buffer): number {
  let separators = 0
  for (let i = 0; i < buffer.length; i += 1) if (buffer[i] === 0x5e) separators += 1
  return separators
}

let sink = 0
const timed = (work: () => void): number => {
  const start = cpuSpent()
  work()
  return cpuSpent() - start
}

async function speeds(perFrame: number): Promise<void> {
  const frames = framesOf(perFrame, FRAMES / perFrame)
  const decoder = new TickDecoder()
  for (const one of frames) deepStrictEqual(decoder.decode(one), bySplitting(one))
  const over = (work: (buffer: Buffer) => number) => () =>
    timed(() => {
      for (let pass = 0; pass < 60; pass += 1) for (const one of frames) sink += work(one)
    })
  const times = await interleaved({
    ours: over((one) => decoder.decode(one)?.length ?? 0),
    split: over((one) => bySplitting(one).length),
    bytes: over(byteLoop),
  })
  const records = `${perFrame} record${perFrame > 1 ? 's' : ''} a frame`
  printFigure(`P1 decode, ours / split, ${records}`, ratios(times['split'], times['ours']), '≥ 4.5')
  printFigure(`P2 decode, ours / bare byte loop, ${records}`, ratios(times['bytes'], times['ours']), '≥ 0.8')
}

function nothingLost(): void {
  const decoder = new TickDecoder()
  const random = seeded(4)
  let frames = 0
  let refused = 0
  for (const fields of [46, 47, 48]) {
    for (let count = 1; count <= 100; count += 1) {
      const records = Array.from({ length: count }, () => [...record(random).split('^'), 'new'].slice(0, fields))
      const whole = frame(records.map((values) => values.join('^')))
      deepStrictEqual(decoder.decode(whole), bySplitting(whole))
      frames += 1
      const [head = '', payload = ''] = whole.toString('latin1').split(/(?<=\|\d{3}\|)/)
      const values = payload.split('^')
      // One record too few always shows; one field too many or too few shows unless there is only one record.
      const wrong = [values.slice(0, 45 * count), ...(count > 1 ? [values.slice(0, -1), [...values, 'x']] : [])]
      for (const some of wrong) {
        throws(() => decoder.decode(Buffer.from(head + some.join('^'))), ProtocolError)
        refused += 1
      }
    }
  }
  console.log(
    `P4 records out = records in for 1…100 a frame: ${frames} of ${frames}; broken frames refused: ${refused} of ${refused}`,
  )
}

/** Opens our client at the tick server, and a plain socket whose messages are only counted. */
async function openSockets(port: string) {
  const credentials = { appKey: 'k', appSecret: 's', accountNumber: '1234567801', htsId: 'me' }
  const { rest, socket } = createKis({
    env: 'real',
    restUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    credentials,
    tokens: { load: async () => null, save: async () => {} },
    limits: UNLIMITED,
  })
  await socket.connect()
  const plain = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false, skipUTF8Validation: true })
  await once(plain, 'open')
  const close = async (): Promise<void> => {
    await socket.close()
    await rest.close()
    plain.close()
  }
  return { socket, plain, close }
}

/** Measures socket, decoding, last prices and a trigger, against a socket whose messages are only counted. */
async function receivePath(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'tick-server' })
  const [port]: unknown[] = await once(worker, 'message')
  const { socket, plain, close } = await openSockets(String(port))
  const prices = new Map<string, number>()
  let triggered = 0
  let left = 0
  let done: (() => void) | null = null
  socket.observe({
    tickReceived: (tick) => {
      prices.set(tick.code, tick.price)
      if (tick.trade && tick.price <= 1_010) triggered += 1
      left -= 1
      if (left === 0) done?.()
    },
  })
  plain.on('message', () => {
    left -= 1
    if (left === 0) done?.()
  })
  const received = async (send: () => void): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    left = RECEIVED
    done = resolve
    const start = cpuSpent()
    send()
    await promise
    return cpuSpent() - start
  }
  let turn = 0
  for (const [how, code] of [
    ['one write a frame', 'GS'],
    ['a burst glued together', 'GB'],
  ] as const) {
    const times = await interleaved({
      discard: () => received(() => plain.send(registering(`${code}0000`))),
      // A code watched anew is a registration, which makes the server send.
      ours: () => received(() => socket.watch([code + String((turn += 1)).padStart(4, '0')])),
    })
    printFigure(`P5 receive path / discard, CPU, ${how}`, ratios(times['discard'], times['ours']), '≥ 0.6')
  }
  deepStrictEqual(prices.size, 41)
  sink += triggered
  await close()
  await worker.terminate()
}

/** Unmasked text frames as a server writes them, glued together: the sender must not be what is measured. */
function onTheWire(frames: readonly Buffer[]): Buffer {
  return Buffer.concat(
    frames.flatMap((payload) => {
      const head = Buffer.from([0x81, 126, 0, 0])
      head.writeUInt16BE(payload.length, 2)
      return [head, payload]
    }),
  )
}

/**
 * In a thread of its own: acknowledges registrations and sends frames to whoever registers a GS code, one write each as the
 * broker does, or a GB code, many glued together, which leaves the receiver nothing but reading.
 */
function serveTicks(): void {
  const batch = 2_000
  const frames = framesOf(1, batch)
  const wire = onTheWire(frames)
  const http = createServer((_request, response) => response.end('{"approval_key":"k"}'))
  const server = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, raw, head) => {
    server.handleUpgrade(request, raw, head, (socket) => {
      const burst = (left: number): void => {
        if (left > 0) raw.write(wire, () => burst(left - batch))
      }
      const single = (sent: number): void => {
        let at = sent
        for (; at < RECEIVED && socket.bufferedAmount < 100_000; at += 1) {
          socket.send(frames[at % batch] ?? '', { binary: false })
        }
        if (at < RECEIVED) setImmediate(single, at)
      }
      socket.on('message', (data: Buffer) => {
        const text = data.toString('utf8')
        const key = /"tr_key":"([^"]*)"/.exec(text)?.[1] ?? ''
        const trId = /"tr_id":"([^"]*)"/.exec(text)?.[1] ?? ''
        const registers = text.includes('"tr_type":"1"')
        // The key of notices, without which our client takes no acknowledgement.
        const output = { iv: '0'.repeat(16), key: '0'.repeat(32) }
        const body = { rt_cd: '0', msg_cd: registers ? 'OPSP0000' : 'OPSP0001', msg1: 'SUCCESS', output }
        if (key !== 'GB0000' && key !== 'GS0000')
          socket.send(JSON.stringify({ header: { tr_id: trId, tr_key: key }, body }))
        if (registers && key.startsWith('GB')) burst(RECEIVED)
        if (registers && key.startsWith('GS')) single(0)
      })
    })
  })
  http.listen(0, '127.0.0.1', () => {
    const address = http.address()
    const port = typeof address === 'object' ? address?.port : null
    parentPort?.postMessage(port, [])
  })
}

export async function decodeBench(): Promise<void> {
  await speeds(1)
  await speeds(4)
  nothingLost()
  await receivePath()
  if (sink < 0) throw new Error('unreachable: keeps the measured work from being optimised away')
}

if (!isMainThread && workerData === 'tick-server') serveTicks()
else if (process.argv[1] === fileURLToPath(import.meta.url)) await decodeBench()

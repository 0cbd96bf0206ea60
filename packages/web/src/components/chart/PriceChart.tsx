import { useMemo, useRef, useState } from 'react'
import { number } from '../../format/won.ts'
import { liveCandle, shortTime, type Candle, type Mark } from './candles.ts'
import { CandleLayer } from './CandleLayer.tsx'
import { EntryInput } from './EntryInput.tsx'
import css from './PriceChart.module.css'
import { PriceGutter } from './PriceGutter.tsx'
import { lotNear, priceLayout, type PriceTag } from './priceLayout.ts'
import { yOf } from './scale.ts'
import { TimeAxis } from './TimeAxis.tsx'
import { usePlotGestures, type Cursor } from './usePlotGestures.ts'
import { useSize } from './useSize.ts'
import { clamped } from './view.ts'

export interface Lot {
  id: number
  price: number
  /** What a finger on its tick reads. */
  text: string
}

/** How far from the right edge of the plot a press means the ticks there, px. */
const TICK_REACH = 30

interface Props {
  /** Oldest first, as the broker gave them. */
  candles: readonly Candle[]
  /** The price of now, by which the newest candle moves; null leaves it alone. */
  live: number | null
  /** The most important first. */
  tags: readonly PriceTag[]
  lots: readonly Lot[]
  marks: readonly Mark[]
  /** How many candles are seen at first. */
  span: number
  label: string
}

const readoutOf = (candle: Candle | undefined): string => (candle === undefined ? '' : valuesOf(candle))
const valuesOf = ({ time, open, high, low, close }: Candle): string =>
  `${shortTime(time)} 시 ${number(open)} 고 ${number(high)} 저 ${number(low)} 종 ${number(close)}`

/** Candles with the prices that matter as tags in a gutter, where nothing covers them. */
export function PriceChart(props: Props) {
  const { candles, marks, lots, label } = props
  const { plot, input, width, height, shown, cursor, layout, lot, readout, gestures } = usePriceChart(props)
  const count = shown.length
  return (
    <figure className={css['chart']}>
      <p className={css['readout']}>{readout}</p>
      <Far tags={layout.above} sign="↑" />
      <div ref={plot} className={css['plot']} {...gestures.handlers}>
        <EntryInput
          input={input}
          label={label}
          count={count}
          index={cursor?.index ?? count - 1}
          text={readout}
          onChoose={gestures.choose}
          onKeyDown={gestures.onKeyDown}
        />
        {width > 0 && height > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <CandleLayer candles={candles} shown={shown} marks={marks} layout={layout} />
            <LotTicks lots={lots} layout={layout} chosen={lot} />
            {cursor !== null && <line className={css['cursor']} {...upright(layout.x(cursor.index), layout.scale)} />}
            <PriceGutter layout={layout} />
            <TimeAxis
              candles={candles}
              from={layout.from}
              to={layout.to}
              first={layout.first}
              step={layout.step}
              right={layout.right}
              bottom={layout.scale.bottom}
              pointed={cursor?.index ?? null}
            />
          </svg>
        )}
      </div>
      {layout.below.length > 0 && <Far tags={layout.below} sign="↓" />}
    </figure>
  )
}

/** What is seen and pointed at, and where everything stands. */
function usePriceChart({ candles, live, tags, lots, span }: Props) {
  const plot = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { width, height } = useSize(plot)
  const [seen, setSeen] = useState({ span, back: 0 })
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const count = candles.length
  const view = useMemo(() => clamped(seen, count), [seen, count])
  const shown = useMemo(
    () => candles.map((one, at) => (at === count - 1 ? liveCandle(one, live) : one)),
    [candles, count, live],
  )
  const pointed = cursor === null ? undefined : shown[cursor.index]
  const cursorTags: PriceTag[] = pointed ? [{ name: '가리킴', short: '', price: pointed.close, tone: 'cursor' }] : []
  const layout = priceLayout({ candles: shown, view, tags: [...cursorTags, ...tags], width, height })
  const gestures = usePlotGestures({
    plot,
    input,
    count,
    view,
    setView: setSeen,
    cursor,
    setCursor,
    width: layout.across,
  })
  // Ticks stand at the right edge: a finger on the candles there means them.
  const onTicks = cursor !== null && cursor.y !== null && layout.x(cursor.index) > layout.right - TICK_REACH
  const lot = onTicks ? lotNear(lots, layout.scale, cursor.y ?? 0) : null
  const readout = (lot === null ? undefined : lots[lot]?.text) ?? readoutOf(pointed ?? shown.at(-1))
  return { plot, input, width, height, shown, cursor, layout, lot, readout, gestures }
}

const upright = (x: number, { top, bottom }: { top: number; bottom: number }) => ({ x1: x, x2: x, y1: top, y2: bottom })

/** Prices that would make the candles small: named at the edge they lie beyond. */
function Far({ tags, sign }: { tags: readonly PriceTag[]; sign: '↑' | '↓' }) {
  return (
    <p className={css['far']}>
      {tags.map(({ name, price }) => (
        <span key={name}>
          {sign} {name} {number(price)}
        </span>
      ))}
    </p>
  )
}

/** The lots held, at the right edge of the plot. */
function LotTicks({
  lots,
  layout,
  chosen,
}: {
  lots: readonly Lot[]
  layout: ReturnType<typeof priceLayout>
  chosen: number | null
}) {
  const { right, scale } = layout
  return lots.map(({ id, price }, at) =>
    price < scale.low || price > scale.high ? null : (
      <line
        key={id}
        className={css['lot']}
        data-chosen={at === chosen}
        x1={right - 8}
        x2={right}
        y1={yOf(scale, price)}
        y2={yOf(scale, price)}
      />
    ),
  )
}

import { memo, useMemo, useState, type PointerEvent } from 'react'
import { EntryInput } from '../../../components/chart/EntryInput.tsx'
import { yOf } from '../../../components/chart/scale.ts'
import { NumbersTable } from '../../../components/Table.tsx'
import { number } from '../../../format/won.ts'
import css from './PastPicture.module.css'
import {
  bandPath,
  gainPlot,
  markPaths,
  PICTURE_HEIGHT,
  pictureLayout,
  pricePaths,
  type PictureLayout,
  type Plot,
} from './picture.ts'
import { gainText, placeText, timeText } from './placeTexts.ts'
import type { Frame, Traded } from './protocol.ts'

interface Props {
  frame: Frame
  traded: Traded
  /** Of the whole picture, px. */
  width: number
  name: string
}

/** Prices with what would have been bought and sold; below, what it would have gained, both ways as a band. */
export const PastPicture = memo(function PastPicture({ frame, traded, width, name }: Props) {
  const [chosen, setChosen] = useState<number | null>(null)
  const layout = useMemo(() => pictureLayout(frame, width), [frame, width])
  const count = frame.times.length
  const at = chosen === null || chosen >= count ? count - 1 : chosen
  const choose = (event: PointerEvent<HTMLElement>) => {
    const place = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left) / layout.step)
    setChosen(Math.min(Math.max(place, 0), count - 1))
  }
  const readout = placeText(frame, traded, at)
  return (
    <figure className={css['picture']}>
      <p className={css['readout']}>{readout}</p>
      <div
        className={css['plot']}
        onPointerDown={choose}
        onPointerMove={(event) => (event.pointerType === 'mouse' || event.buttons > 0) && choose(event)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(null)}
      >
        <EntryInput
          label={`${name} 지난 시세와 매매. 화살표 키로 읽습니다. 같은 숫자가 아래 표에 있습니다.`}
          count={count}
          index={at}
          text={readout}
          onChoose={setChosen}
        />
        <svg width={width} height={PICTURE_HEIGHT} aria-hidden="true">
          <Prices frame={frame} layout={layout} />
          <Trades frame={frame} traded={traded} layout={layout} />
          {chosen !== null && <Cursor x={(at + 0.5) * layout.step} />}
        </svg>
      </div>
      <ul className={css['key']}>
        <li>
          <span className={css['boughtSign']}>▲</span> 산 때
        </li>
        <li>▼ 판 때</li>
        <li>표시는 불리한 쪽의 매매, 아래는 그때까지의 합계(불리한 쪽부터 유리한 쪽까지)</li>
      </ul>
      <NumbersTable
        caption="기간별"
        head={['때', '종가', '산', '판', '합계(불리)']}
        rows={() => rowsOf(frame, traded)}
      />
    </figure>
  )
})

const rowsOf = (frame: Frame, { buys, sells, worse }: Traded) =>
  frame.times
    .map((time, at) => ({
      key: time,
      cells: [
        timeText(time),
        number(frame.close[at] ?? 0),
        number(buys[at] ?? 0),
        number(sells[at] ?? 0),
        gainText(worse[at] ?? 0),
      ],
    }))
    .toReversed()

const Cursor = ({ x }: { x: number }) => (
  <line className={css['cursor']} x1={x} x2={x} y1={0} y2={PICTURE_HEIGHT - 22} />
)

/** Drawn once for a range and a width. */
const Prices = memo(function Prices({ frame, layout }: { frame: Frame; layout: PictureLayout }) {
  const { band, line } = pricePaths(frame, layout)
  return (
    <>
      <Axis plot={layout.prices} layout={layout} />
      <path className={css['band']} d={band} />
      <path className={css['line']} d={line} />
      {layout.times.map(({ x, text }) => (
        <text key={x} x={x} y={PICTURE_HEIGHT - 6} textAnchor="middle">
          {text}
        </text>
      ))}
    </>
  )
})

/** Three paths, however many trades there were: drawn anew at each move of a slider. */
const Trades = memo(function Trades({
  frame,
  traded,
  layout,
}: {
  frame: Frame
  traded: Traded
  layout: PictureLayout
}) {
  const { bought, sold } = markPaths(frame, traded, layout)
  const gains = gainPlot(traded)
  return (
    <>
      <path className={css['bought']} d={bought} />
      <path className={css['sold']} d={sold} />
      <Axis plot={gains} layout={layout} />
      <path className={css['gained']} d={bandPath(traded, layout.step, gains.scale)} />
    </>
  )
})

function Axis({ plot: { scale, values }, layout: { right, width } }: { plot: Plot; layout: PictureLayout }) {
  return values.map(({ value, text }) => (
    <g key={value}>
      <line
        className={css['grid']}
        data-zero={value === 0}
        x1={0}
        x2={right}
        y1={yOf(scale, value)}
        y2={yOf(scale, value)}
      />
      <text x={width - 2} y={yOf(scale, value)} dy="0.35em" textAnchor="end">
        {text}
      </text>
    </g>
  ))
}

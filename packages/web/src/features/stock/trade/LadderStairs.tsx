import type { Stock, Trade } from '@digger/contract'
import { useMemo, useRef } from 'react'
import { PriceGutter } from '../../../components/chart/PriceGutter.tsx'
import type { PriceTag } from '../../../components/chart/priceLayout.ts'
import { yOf } from '../../../components/chart/scale.ts'
import { freeValues, placeTags } from '../../../components/chart/tags.ts'
import { useSize } from '../../../components/chart/useSize.ts'
import { Panel } from '../../../components/Panel.tsx'
import { NumbersTable } from '../../../components/Table.tsx'
import { number, shortWon } from '../../../format/won.ts'
import { LadderFacts, StepLink } from './LadderFacts.tsx'
import { ladderOf, type Ladder } from '../ladderSteps.ts'
import css from './LadderStairs.module.css'
import { stairsLayout } from './stairsLayout.ts'

const KINDS = { held: '산 칸', next: '다음 칸', left: '남은 칸' } as const
const KIND_LIST = ['held', 'next', 'left'] as const
const GUTTER = 104
const TOP = 12
/** Buying has ended for now: the stairs are grey. */
const stopped = (stock: Stock): boolean =>
  !stock.autoBuy || stock.stop !== 'active' || stock.blocked !== null || stock.frozen !== null

interface Props {
  stock: Stock
  trades: readonly Trade[]
}

/** How the cap is put in step by step while the price falls: done, next, and left. */
export function LadderStairs({ stock, trades }: Props) {
  const ladder = useMemo(() => ladderOf(stock, trades), [stock, trades])
  const { steps, spent, cap } = ladder
  const count = (kind: keyof typeof KINDS) => steps.filter((step) => step.kind === kind).length
  if (steps.length === 0) return null
  return (
    <Panel label="사다리">
      <h2 className={css['head']}>
        사다리 <StepLink stock={stock} />
      </h2>
      <Picture ladder={ladder} stock={stock} />
      <p className={css['money']}>
        <b>쓴 돈 {shortWon(spent)}</b>
        <span>남은 한도 {shortWon(Math.max(cap - spent, 0))}</span>
      </p>
      <ul className={css['key']}>
        {KIND_LIST.filter((kind) => count(kind) > 0).map((kind) => (
          <li key={kind} data-kind={kind}>
            {KINDS[kind]} {kind === 'next' ? '' : number(count(kind))}
          </li>
        ))}
        <li data-kind="price">현재가</li>
      </ul>
      <LadderFacts stock={stock} ladder={ladder} trades={trades} />
      <NumbersTable
        caption="사다리"
        head={['칸', '가격', '수량', '금액']}
        rows={() =>
          steps.map(({ kind, price, count }, at) => ({
            key: String(at),
            cells: [`${at + 1} ${KINDS[kind]}`, number(price), number(count), number(price * count)],
          }))
        }
      />
    </Panel>
  )
}

function Picture({ ladder, stock }: { ladder: Ladder; stock: Stock }) {
  const box = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(box)
  const right = Math.max(width - GUTTER, 1)
  const { stairs, scale, present } = stairsLayout(ladder, {
    price: stock.price,
    right,
    top: TOP,
    bottom: Math.max(height - 1, TOP + 1),
  })
  const next = ladder.steps.find(({ kind }) => kind === 'next')
  const tag = (name: string, price: number | null | undefined, tone: PriceTag['tone']) =>
    price === null || price === undefined ? [] : [{ name, short: name, price, tone, y: yOf(scale, price) }]
  const tags = placeTags([...tag('현재', present, 'now'), ...tag('매수', next?.price, 'buy')], scale.top, scale.bottom)
  const ends = [ladder.steps[0], ladder.steps.at(-1)].flatMap((step) => (step ? [step.price] : []))
  const values = freeValues([...new Set(ends)], (value) => yOf(scale, value), tags)
  return (
    <div ref={box} className={css['stairs']} data-stopped={stopped(stock)}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          <g data-plot={`${right} ${scale.bottom}`}>
            {stairs.map(({ kind, ...stair }) => (
              <rect key={stair.x} data-kind={kind} {...stair} rx={Math.min(3, stair.width / 3)} />
            ))}
          </g>
          <PriceGutter layout={{ values, tags, right, gutter: width - right, scale }} />
        </svg>
      )}
    </div>
  )
}

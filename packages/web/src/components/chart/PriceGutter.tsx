import { number } from '../../format/won.ts'
import css from './PriceGutter.module.css'
import { nameWithin, type PriceLayout, type PriceTag } from './priceLayout.ts'
import { yOf } from './scale.ts'
import { TAG_HEIGHT, type Placed } from './tags.ts'

/** From the plot to the tags, px: room for leader lines. */
const LEADER = 10
const PADDING = 6

/** Round values and tags right of the plot; a thin line leads from each tag to its true price. */
export function PriceGutter({
  layout,
}: {
  layout: Pick<PriceLayout, 'values' | 'tags' | 'right' | 'gutter' | 'scale'>
}) {
  const { values, tags, right, gutter, scale } = layout
  return (
    <g className={css['gutter']}>
      {values.map((value) => (
        <g key={value}>
          <line className={css['grid']} x1={0} x2={right} y1={yOf(scale, value)} y2={yOf(scale, value)} />
          <text x={right + gutter - PADDING} y={yOf(scale, value)} textAnchor="end" dy="0.35em">
            {number(value)}
          </text>
        </g>
      ))}
      {tags.map((placed) => (
        <Tag key={`${placed.tag.name} ${placed.tag.tone}`} placed={placed} left={right} width={gutter} />
      ))}
    </g>
  )
}

function Tag({
  placed: { tag, at },
  left,
  width,
}: {
  placed: Placed<PriceTag & { y: number }>
  left: number
  width: number
}) {
  const box = width - LEADER
  return (
    <g className={css['tag']} data-tone={tag.tone} data-dashed={tag.dashed === true}>
      <path className={css['leader']} d={`M0 ${tag.y}H${left}L${left + LEADER} ${at}`} />
      <rect x={left + LEADER + 0.5} y={at - TAG_HEIGHT / 2 + 0.5} width={box - 1} height={TAG_HEIGHT - 1} rx={6} />
      <text x={left + LEADER + PADDING} y={at} dy="0.35em">
        {nameWithin(tag, box - 2 * PADDING)}
      </text>
      <text x={left + width - PADDING} y={at} dy="0.35em" textAnchor="end">
        {number(tag.price)}
      </text>
    </g>
  )
}

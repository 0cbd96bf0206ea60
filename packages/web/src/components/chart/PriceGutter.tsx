import { LEADER, tagLabels, valueLabel } from './labels.ts'
import css from './PriceGutter.module.css'
import type { PriceLayout, PriceTag } from './priceLayout.ts'
import { yOf } from './scale.ts'
import { TAG_HEIGHT, type Placed } from './tags.ts'
import { Text } from './Text.tsx'

/** Round values and tags right of the plot; a thin line leads from each tag to its true price. */
export function PriceGutter({
  layout,
}: {
  layout: Pick<PriceLayout, 'values' | 'tags' | 'right' | 'gutter' | 'scale'>
}) {
  const { values, tags, right, scale } = layout
  return (
    <g className={css['gutter']}>
      {values.map((value) => (
        <g key={value}>
          <line className={css['grid']} x1={0} x2={right} y1={yOf(scale, value)} y2={yOf(scale, value)} />
          <Text label={valueLabel(value, layout)} />
        </g>
      ))}
      {tags.map((placed) => (
        <Tag key={`${placed.tag.name} ${placed.tag.tone}`} placed={placed} layout={layout} />
      ))}
    </g>
  )
}

function Tag({
  placed,
  layout,
}: {
  placed: Placed<PriceTag & { y: number }>
  layout: Pick<PriceLayout, 'right' | 'gutter'>
}) {
  const { tag, at } = placed
  const { right: left, gutter } = layout
  const [name, price] = tagLabels(placed, layout)
  return (
    <g className={css['tag']} data-tone={tag.tone} data-dashed={tag.dashed === true}>
      <path className={css['leader']} d={`M0 ${tag.y}H${left}L${left + LEADER} ${at}`} />
      <rect
        x={left + LEADER + 0.5}
        y={at - TAG_HEIGHT / 2 + 0.5}
        width={gutter - LEADER - 1}
        height={TAG_HEIGHT - 1}
        rx={6}
      />
      <Text label={name} />
      <Text label={price} />
    </g>
  )
}

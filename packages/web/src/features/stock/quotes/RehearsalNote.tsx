import css from '../sale/SellSheet.module.css'

interface Props {
  quote: { readonly shadow?: true } | undefined
  /** What on the sheet is the real account's all the same. */
  real: string
}

/** Beside the button of a stock that is only rehearsed. */
export function RehearsalNote({ quote, real }: Props) {
  if (quote?.shadow !== true) return null
  return <p className={css['note']}>연습: 보내지 않습니다. 누르면 그림자 장부에만 적습니다. {real}</p>
}

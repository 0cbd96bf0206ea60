import type { Stock } from '@digger/contract'
import type { Settings } from '@digger/core'
import css from './Preview.module.css'
import { useWarnings } from './useWarnings.ts'
import { warningText } from './warnings.ts'

/** What would surprise or lose by design; of a target that loses its own field speaks. */
export function Warnings({ stock, settings }: { stock: Stock; settings: Settings }) {
  return useWarnings(stock, settings)
    .filter(({ code }) => code !== 'losingTarget')
    .map((warning) => (
      <p key={warning.code} className={css['problem']}>
        {warningText(warning, stock.autoSell)}
      </p>
    ))
}

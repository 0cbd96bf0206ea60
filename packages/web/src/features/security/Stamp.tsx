import { stamp } from '../../format/time.ts'
import css from './Security.module.css'

/** An instant in a sentence: never in two lines. */
export const Stamp = ({ at }: { at: string }) => (
  <time className={css['stamp']} dateTime={at}>
    {stamp(at)}
  </time>
)

import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import type { SheetItem } from '../ask/ask.ts'
import { Icon } from './Icon.tsx'
import { Modal } from './Modal.tsx'
import css from './OptionSheet.module.css'

/** Height of the title and of every row, px. */
const ROW_HEIGHT = 60

interface Props {
  title: string
  items: readonly SheetItem[]
  selected?: unknown
  /** Called when the sheet closes: after a pick, or by the overlay, the title or Escape. */
  onClosed: () => void
}

/** Options from the bottom of the screen. A pick runs its function and closes. */
export function OptionSheet({ title, items, selected, onClosed }: Props) {
  const viewport = useViewportHeight()
  const id = useId()
  const pick = (item: SheetItem) => {
    onClosed()
    item.func()
  }
  return (
    <Modal label={title} look="sheet" onClose={onClosed} height={sheetHeight(items.length, viewport)}>
      <button type="button" className={css['title']} onClick={onClosed} aria-label={`${title} 닫기`}>
        <span>{title}</span>
        <Icon name="close" size={20} />
      </button>
      <ul>
        {items.map((item, at) => (
          <li key={item.name}>
            <button
              type="button"
              className={css['row']}
              data-danger={item.danger}
              disabled={item.disabled}
              {...(item.note && { 'aria-label': item.name, 'aria-describedby': `${id}-${at}` })}
              aria-current={selected !== undefined && item.value === selected ? 'true' : undefined}
              onClick={() => pick(item)}
              onKeyDown={moveByArrows}
            >
              <span>
                {item.name}
                {item.note && <small id={`${id}-${at}`}>{item.note}</small>}
              </span>
              {selected !== undefined && item.value === selected && <Icon name="check" size={20} />}
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}

/** Title and rows, never taller than the viewport. */
export const sheetHeight = (rows: number, viewport: number): number => Math.min((rows + 1) * ROW_HEIGHT, viewport)

function useViewportHeight(): number {
  const [height, setHeight] = useState(window.innerHeight)
  useEffect(() => {
    const update = () => setHeight(window.innerHeight)
    window.addEventListener('resize', update)
    return () => window.removeEventListener('resize', update)
  }, [])
  return height
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])]
  const at = rows.findIndex((row) => row === event.currentTarget)
  rows.at((at + step + rows.length) % rows.length)?.focus()
}

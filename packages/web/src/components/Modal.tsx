import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import css from './Modal.module.css'
import { guardBelow } from './secondPress.ts'

interface Props {
  label: string
  /** `panel`: from the bottom on a phone, a box elsewhere. */
  look: 'box' | 'sheet' | 'narrow' | 'panel'
  role?: 'dialog' | 'alertdialog'
  /** Called by Escape, and by a press beside the box unless `persistent`. */
  onClose: () => void
  /** Only its own buttons and Escape close it. */
  persistent?: boolean
  /** Escape does nothing either, nor a phone's gesture back. */
  locked?: boolean
  height?: number
  children: ReactNode
}

/** A native modal dialog: it keeps the focus inside and gives it back when it goes. */
export function Modal({
  label,
  look,
  role = 'dialog',
  onClose,
  persistent = false,
  locked = false,
  height,
  children,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  // A layout effect closes it before it leaves the page: only then does the dialog give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      guardBelow()
    }
  }, [])
  useEffect(() => {
    const dialog = ref.current
    const beside = (event: MouseEvent) => {
      if (!persistent && event.target === dialog) onClose()
    }
    dialog?.addEventListener('click', beside)
    return () => dialog?.removeEventListener('click', beside)
  }, [onClose, persistent])
  return (
    <dialog
      ref={ref}
      role={role}
      aria-label={label}
      className={css['modal']}
      data-look={look}
      style={height === undefined ? undefined : { height }}
      // Of `cancel` a browser lets only one in a row be prevented.
      closedby={locked ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

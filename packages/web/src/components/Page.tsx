import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'wouter'
import { ask, type SheetItem } from '../ask/ask.ts'
import { IconButton } from './Button.tsx'
import { Chips, type ChipGroup } from './Chips.tsx'
import css from './Page.module.css'

interface Props {
  /** Shown after "Home >" in the title bar. */
  title: string
  /** The page's name in Korean. */
  name: string
  homeHref: string
  menu?: readonly SheetItem[]
  selected?: unknown
  /** Parts of the menu that change the view, with their state. */
  chips?: readonly ChipGroup[]
  wide?: boolean
  children: ReactNode
}

/** Title bar with the page's menu, then the page. */
export function Page({ title, name, homeHref, menu, selected, chips, wide = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${name} · Digger`
    // Screen readers start reading the new page here instead of at the link that is gone, unless it opened to type something.
    const isTyping = heading.current?.closest('main')?.querySelector('input:focus') != null
    if (!isTyping) heading.current?.focus({ preventScroll: true })
  }, [name])
  return (
    <main className={css['page']} data-wide={wide}>
      <div className={css['title']}>
        <div>
          <nav className={css['crumbs']} aria-label="위치">
            <Link href={homeHref}>Home</Link> <span aria-hidden="true">&gt;</span>{' '}
            <span aria-current="page">{title}</span>
          </nav>
          <h1 ref={heading} tabIndex={-1}>
            {name}
          </h1>
        </div>
        {menu && menu.length > 0 && (
          <IconButton
            icon="more"
            label={`${name} 메뉴`}
            aria-haspopup="dialog"
            onClick={() => void ask.sheet(name, menu, selected)}
          />
        )}
      </div>
      {chips && <Chips groups={chips} />}
      {children}
    </main>
  )
}

import { useEffect } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import css from './Work.module.css'
import { dropWork, forgetWorks } from './work.ts'
import { useWorks } from './WorkLine.tsx'

/** What ended while its person was on another page. It waits until it is opened or put away. */
export function WorkNotes() {
  useEffect(() => forgetWorks, [])
  const works = useWorks()
  return works.map((work) => {
    const { outcome, name, href, key } = work
    if (outcome === null) return null
    return (
      <section key={key} className={css['note']} data-ok={outcome.ok} aria-label={`${name} 결과`}>
        <Icon name={outcome.ok ? 'check' : 'warn'} size={20} />
        <output>
          <b>{name}</b> {outcome.ok ? outcome.text : `${outcome.title}. ${outcome.text}`}
        </output>
        <Link href={href} onClick={() => dropWork(work)}>
          열기
        </Link>
        <IconButton icon="close" label={`${name} 결과 닫기`} onClick={() => dropWork(work)} />
      </section>
    )
  })
}

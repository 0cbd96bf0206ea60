import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../components/Icon.tsx'
import { clock } from '../../format/time.ts'
import css from './PullToRefresh.module.css'
import { READY_PX } from './pullGesture.ts'
import { refetchPage } from './refetchPage.ts'
import { usePull, type PullPhase } from './usePull.ts'

type Phase = PullPhase | 'reading' | 'done' | 'failed' | 'idle'

const HINTS: Partial<Record<Phase, string>> = { pulling: '당겨서 새로 읽기', ready: '놓으면 새로 읽습니다' }
/** How long the result stands, ms: a failure has more to read. */
const SHOWN_MS = { done: 2_000, failed: 6_000 } as const

/** Reads the page anew when it is pulled down from its top; an app on the home screen has no button of the browser's for that. */
export function PullToRefresh() {
  const box = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  const [{ phase, message }, setState] = useState<{ phase: Phase; message: string }>({ phase: 'idle', message: '' })
  const place = (px: number) => box.current?.style.setProperty('--pulled', `${px}px`)
  const refresh = async () => {
    place(READY_PX)
    setState({ phase: 'reading', message: '새로 읽는 중' })
    const problem = await refetchPage(client)
    if (problem === null) setState({ phase: 'done', message: `새로 읽었습니다 ${clock(Date.now())}` })
    else setState({ phase: 'failed', message: `새로 읽지 못했습니다: ${problem.message}` })
  }
  usePull({
    onPull(pulled, now) {
      if (phase === 'reading') return
      place(pulled)
      // Only what is read changes by rendering; the way is the style's.
      if (now !== phase) setState({ phase: now, message: '' })
    },
    onRelease(isReady) {
      if (phase === 'reading') return
      if (isReady) void refresh()
      else setState({ phase: 'idle', message: '' })
    },
  })
  useEffect(() => {
    if (phase !== 'done' && phase !== 'failed') return undefined
    const timer = setTimeout(setState, SHOWN_MS[phase], { phase: 'idle', message: '' })
    return () => clearTimeout(timer)
  }, [phase])
  return (
    <div ref={box} className={css['place']} data-phase={phase}>
      <div className={css['pill']}>
        <span className={css['sign']}>
          <Icon name={phase === 'done' ? 'check' : phase === 'failed' ? 'warn' : 'refresh'} size={18} />
        </span>
        {/* A hint is for who pulls; what came of it is for everybody. */}
        {HINTS[phase] && <span aria-hidden="true">{HINTS[phase]}</span>}
        <output>{message}</output>
      </div>
    </div>
  )
}

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Loading } from '../../../components/QueryView.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { useFlags } from '../../../url/query.ts'
import type { WhatIfProps } from './whatIfProps.ts'

const WhatIf = lazy(() => import('./WhatIf.tsx').then((m) => ({ default: m.WhatIf })))

/** The past, traded again by what is typed. Closed at first: its code, its worker and its prices come when it is opened. */
export function WhatIfPanel(props: WhatIfProps) {
  const [{ whatif }, setFlag] = useFlags({ whatif: false })
  const box = useRef<HTMLDivElement>(null)
  const [isAsked] = useState(whatif)
  // Whoever came by a link to it sees it.
  useEffect(() => {
    if (isAsked) box.current?.scrollIntoView({ block: 'start' })
  }, [isAsked])
  return (
    <div ref={box}>
      <Panel label="지난 시세로 해 보기">
        <h2>지난 시세로 해 보기</h2>
        {whatif ? (
          <Suspense fallback={<Loading rows={2} heights={[120, 420]} />}>
            <WhatIf {...props} />
          </Suspense>
        ) : (
          <>
            <p>
              위에 적은 설정이었다면 지난 몇 해 동안 무엇을 사고팔았을지 봅니다. 저장하지 않아도 되고 주문은 나가지
              않습니다.
            </p>
            <Button onClick={() => setFlag('whatif', true)}>해 보기</Button>
          </>
        )}
      </Panel>
    </div>
  )
}

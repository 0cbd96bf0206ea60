import type { Stock } from '@digger/contract'
import { useState } from 'react'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { changedNames, draftOf } from './draft.ts'
import { SaveBar } from './SaveBar.tsx'
import { SettingsFields } from './SettingsFields.tsx'
import css from './SettingsPage.module.css'
import { SettingsSide } from './SettingsSide.tsx'
import { useAskedField, useSettingsDraft } from './useSettingsDraft.ts'
import { WhatIfPanel } from './whatif/WhatIfPanel.tsx'

/** What each setting does, in plain words. */
const HELP = {
  autoBuy: '켜면 가격이 다음 매수가까지 내려올 때마다 삽니다.',
  maxBuyPrice: '이 가격보다 비싸게는 사지 않습니다. 처음 살 때는 이 가격 이하에서 삽니다.',
  lastBuyPrice: '다음 매수가를 계산하는 기준입니다. 비우면 처음부터 다시 시작합니다.',
  maxBuyAmount: '들고 있는 주식과 매수 주문을 합해 이 금액을 넘지 않습니다.',
  buyUnitPrice: '한 번 살 때 쓰는 금액입니다. 1을 넣으면 한 번에 1주씩 삽니다.',
  buyPercent: '-1이면 마지막 매수가보다 1% 내릴 때마다 삽니다. 0보다 작아야 합니다.',
  autoSell: '켜면 산 것마다 목표가에 매도 주문을 걸어 둡니다.',
  sellPercent: '1.2면 산 가격보다 1.2% 높은 가격에 팝니다.',
  autoSellWithAvgPrice: '산 것마다 따로 팔지 않고, 평균 단가 기준 목표가에 전부 한 번에 팝니다.',
  useMinSellPrice: '목표가가 낮아도 최저 매도가보다 싸게는 팔지 않습니다.',
  minSellPrice: '최저 매도가를 쓸 때의 가격입니다.',
  recoverLastBuyPrice: '켜면 판 뒤에 매수 기준이 남은 매매 중 가장 낮은 매수가로 돌아갑니다.',
} as const

/** What is typed stays, also when the stock is traded meanwhile: the person decides when to take over its new values. */
export function SettingsForm({ live }: { live: Stock }) {
  const [stock, setStock] = useState(live)
  const { draft, setDraft, errors, submit, busy } = useSettingsDraft(stock, {
    onSaved(saved) {
      takeOver(saved)
      void ask.alert('done', '저장했습니다. 자동 주문은 새 설정을 따릅니다.')
    },
    isChecked: true,
  })
  const takeOver = (next: Stock) => {
    setStock(next)
    setDraft(draftOf(next))
  }
  const form = useAskedField()
  return (
    <>
      <div className={css['columns']}>
        <Panel label="설정">
          {live.version > stock.version && <Changed onTakeOver={() => takeOver(live)} />}
          <form ref={form} className={css['form']} onSubmit={submit} noValidate>
            <SettingsFields
              draft={draft}
              seen={stock}
              price={live.price}
              onChange={setDraft}
              errors={errors}
              help={HELP}
            />
            <SaveBar
              stock={live}
              draft={draft}
              changed={changedNames(stock, draft).length}
              wrong={Object.keys(errors).length}
              busy={busy}
              onReset={() => setDraft(draftOf(stock))}
            />
          </form>
        </Panel>
        <SettingsSide stock={live} draft={draft} />
      </div>
      <WhatIfPanel
        stock={stock}
        draft={draft}
        onFill={setDraft}
        onShowSave={() => form.current?.scrollIntoView({ block: 'end' })}
      />
    </>
  )
}

const Changed = ({ onTakeOver }: { onTakeOver: () => void }) => (
  <output className={css['changed']}>
    그 사이에 이 종목이 바뀌었습니다. 저장하면 고친 값만 바뀝니다.
    <Button onClick={onTakeOver}>새 값 불러오기</Button>
  </output>
)

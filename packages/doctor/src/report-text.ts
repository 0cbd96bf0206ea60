import { type Checked, type Finding, type Level, type Report, sourceText } from './finding.ts'

const HEADS: Readonly<Record<Level, string>> = {
  wrong: '다릅니다 — 자동매매를 시작하기 전에 확인해 주세요',
  note: '알아 둘 것 — 매매는 그대로입니다',
  notOffered: '이 환경에 없는 것',
  notTried: '하지 않은 것',
  ok: '맞습니다',
}
const ORDER: readonly Level[] = ['wrong', 'note', 'notOffered', 'notTried', 'ok']

/** For a terminal: by level, the worst first, technical details below each sentence. */
export function linesOf({ checks }: Report): string[] {
  return ORDER.flatMap((level) => {
    const found = checks.flatMap((check) =>
      check.findings.filter((one) => one.level === level).map((finding) => ({ check, finding })),
    )
    return found.length === 0 ? [] : [`[${HEADS[level]}] ${found.length}건`, ...found.flatMap(line)]
  })
}

function line({ check, finding }: { check: Checked; finding: Finding }): string[] {
  const { text, fields, believed, came, source } = finding
  const details = [
    ...(fields === undefined || finding.level === 'ok' ? [] : [`항목 ${fields.join(', ')}`]),
    ...(believed === undefined ? [] : [`믿은 것 ${believed}`]),
    ...(came === undefined ? [] : [`온 것 ${came}`]),
    ...(source === undefined || finding.level === 'ok' ? [] : [`근거 ${sourceText(source)}`]),
  ]
  return [`  ${check.name}: ${text}`, ...(details.length === 0 ? [] : [`      ${details.join(' · ')}`])]
}

/** 0: nothing to see to; 1: something that Digger decides by is other than believed; 2: it could not be looked at. */
export function exitCodeOf({ checks }: Report): 0 | 1 | 2 {
  const all = checks.flatMap(({ findings }) => findings)
  if (all.every(({ level }) => level === 'notTried')) return 2
  return all.some(({ level }) => level === 'wrong') ? 1 : 0
}

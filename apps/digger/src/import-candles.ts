import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type Imported, importCandles, type ImportHow } from '@digger/candles'
import { type Db, OperatorError } from '@digger/database'
import { endWithMessage, printReport, type Report } from './report.ts'

const USAGE = `쓰는 법: npm run candles:import -- 파일.csv[.gz] … --prices adjusted|traded [--fill]
  일봉 파일의 열: date,code,open,high,low,close,volume (다른 열은 있어도 됩니다)
  분봉 파일의 열: date,time,code,open,high,low,close,volume
  --prices adjusted   오늘의 주식 수에 맞춘 가격(수정주가)
  --prices traded     거래된 그대로의 가격. 증권사에서 받은 수정주가로 나중에 맞춥니다
  --fill              증권사에서 받은 것이 없는 날만 채웁니다. 없으면 가져온 것이 증권사 것보다 먼저입니다`

const text = (count: number): string => count.toLocaleString('ko-KR')

/** Files one after the other, each whole or not at all. */
export async function importAll(db: Db, files: readonly string[], how: ImportHow): Promise<Report> {
  const lines: string[] = []
  let ok = true
  for (const path of files) {
    const found = await importCandles(db, path, how, Date.now())
    ok &&= found.problemCount === 0
    lines.push(...linesOf(basename(path), found))
  }
  return { ok, lines }
}

export function linesOf(name: string, { unit, codes, candles, untraded, problems, problemCount }: Imported): string[] {
  if (problemCount > 0) {
    const more = problemCount - problems.length
    return [
      `${name}: 틀린 줄이 ${text(problemCount)}개 있어 아무것도 가져오지 않았습니다. 고친 뒤 다시 해 주세요.`,
      ...problems.map((problem) => `  ${problem}`),
      ...(more > 0 ? [`  그 밖에 ${text(more)}줄`] : []),
    ]
  }
  const skipped = untraded === 0 ? '' : ` 거래가 없던 ${text(untraded)}줄은 건너뛰었습니다.`
  return [
    `${name}: 종목 ${text(codes)}개의 ${unit === 'day' ? '일봉' : '분봉'} ${text(candles)}개를 가져왔습니다.${skipped}`,
  ]
}

/** Throws OperatorError with how it is used. */
export function readArguments(args: readonly string[]): { readonly files: readonly string[]; readonly how: ImportHow } {
  const options = { prices: { type: 'string' }, fill: { type: 'boolean', default: false } } as const
  const usage = new OperatorError(USAGE)
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: [...args], allowPositionals: true, options })
    } catch {
      throw usage
    }
  })()
  const { prices, fill } = values
  if ((prices !== 'adjusted' && prices !== 'traded') || positionals.length === 0) throw usage
  return { files: positionals, how: { prices, fill } }
}

if (import.meta.main) {
  try {
    const { files, how } = readArguments(process.argv.slice(2))
    await printReport((db) => importAll(db, files, how))
  } catch (error) {
    endWithMessage(error)
  }
}

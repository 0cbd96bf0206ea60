import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import Papa from 'papaparse'
import type { Bar } from '../bar.ts'
import { partOf } from '../parts.ts'
import { type Cells, DAY_COLUMNS, type ImportedRow, MINUTE_COLUMNS, readImported } from './row.ts'

/** All of a file is in memory until it is written: some 200 MB for so many candles. */
const MAX_ROWS = 2_000_000
/** So many wrong lines are named; the rest is only counted. */
const MAX_NAMED = 20

/** What a file has, or what is wrong with it. Nothing was written. */
export interface ReadFile {
  readonly unit: 'day' | 'minute'
  /** By code and part; each part has its bars by their place. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<number, Bar>>>
  readonly candles: number
  /** Lines of days on which a stock was not traded. */
  readonly untraded: number
  /** A sentence each, with the number of the line; the first is 1, and has the names of the columns. */
  readonly problems: readonly string[]
  readonly problemCount: number
}

/** Reads a CSV file whole, packed with gzip or not. Throws what the file system throws, and what gzip finds broken. */
export async function readCandleFile(path: string, today: string): Promise<ReadFile> {
  const found = new FileCandles(today)
  await parse(openFile(path), found)
  return found.read()
}

function openFile(path: string): Readable {
  const file = createReadStream(path)
  if (!path.endsWith('.gz')) return file
  const unpacked = createGunzip()
  // An error of either ends both, and comes out of `unpacked`.
  pipeline(file, unpacked, (error) => error && unpacked.destroy(error))
  return unpacked
}

function parse(file: Readable, found: FileCandles): Promise<void> {
  return new Promise((resolve, reject) => {
    file.once('error', reject)
    Papa.parse<string[]>(file, {
      skipEmptyLines: 'greedy',
      step: ({ data }, parser) => {
        if (!found.take(data)) parser.abort()
      },
      complete: () => resolve(),
      error: reject,
    })
  })
}

/** Lines as they come, put together. */
class FileCandles {
  readonly #today: string
  readonly #parts = new Map<string, Map<string, Map<number, Bar>>>()
  readonly #problems: string[] = []
  #problemCount = 0
  #columns: readonly string[] | null = null
  #unit: 'day' | 'minute' = 'day'
  #line = 0
  #candles = 0
  #untraded = 0

  constructor(today: string) {
    this.#today = today
  }

  /** False: nothing of the rest can be read. */
  take(data: readonly string[]): boolean {
    this.#line += 1
    if (this.#columns === null) return this.#head(data)
    if (this.#line > MAX_ROWS + 1) {
      this.#wrong(`한 파일은 ${MAX_ROWS.toLocaleString('ko-KR')}줄까지 됩니다. 파일을 나누어 주세요.`)
      return false
    }
    const cells: Cells = Object.fromEntries(this.#columns.map((name, n) => [name, data[n]]))
    const row = readImported(cells, this.#unit, this.#today)
    if (typeof row === 'string') this.#wrong(row)
    else this.#add(row)
    return true
  }

  #head(data: readonly string[]): boolean {
    const columns = data.map((name) =>
      name
        .replace(/^\uFEFF/, '')
        .trim()
        .toLowerCase(),
    )
    this.#unit = columns.includes('time') ? 'minute' : 'day'
    const wanted = this.#unit === 'minute' ? MINUTE_COLUMNS : DAY_COLUMNS
    const missing = wanted.filter((name) => !columns.includes(name))
    this.#columns = columns
    if (missing.length === 0) return true
    this.#wrong(`${missing.join(', ')} 열이 없습니다. 첫 줄에 열 이름을 적어 주세요: ${wanted.join(',')}`)
    return false
  }

  #add({ code, day, bar }: ImportedRow): void {
    if (bar === null) {
      this.#untraded += 1
      return
    }
    const ofCode = this.#parts.get(code) ?? new Map<string, Map<number, Bar>>()
    this.#parts.set(code, ofCode)
    const part = partOf(this.#unit, day)
    const bars = ofCode.get(part) ?? new Map<number, Bar>()
    ofCode.set(part, bars)
    if (bars.has(bar.at)) {
      this.#wrong(`${code} ${day}의 같은 봉이 앞에 이미 있습니다`)
      return
    }
    bars.set(bar.at, bar)
    this.#candles += 1
  }

  #wrong(what: string): void {
    this.#problemCount += 1
    if (this.#problems.length < MAX_NAMED) this.#problems.push(`${this.#line}번째 줄: ${what}`)
  }

  read(): ReadFile {
    if (this.#columns === null) this.#wrong('파일이 비어 있습니다')
    return {
      unit: this.#unit,
      parts: this.#parts,
      candles: this.#candles,
      untraded: this.#untraded,
      problems: this.#problems,
      problemCount: this.#problemCount,
    }
  }
}

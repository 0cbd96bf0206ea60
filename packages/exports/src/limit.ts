import { Refused } from '@digger/contract'

/** Files that one person has made at the same time, whoever's account they are of. */
const MAX_OF_PERSON = 2
/** Files that a process makes at the same time: each holds a page of rows, or the rows of a year. */
const MAX_OF_ALL = 8

/** Bounds how many files are under way. */
export class ExportLimit {
  readonly #underWay = new Map<string, number>()
  #all = 0

  /** Returns the way to say that it has ended, however often. Throws Refused BUSY. */
  begin(person: string): () => void {
    const own = this.#underWay.get(person) ?? 0
    if (own >= MAX_OF_PERSON) throw new Refused('BUSY', OWN_BUSY)
    if (this.#all >= MAX_OF_ALL) throw new Refused('BUSY', ALL_BUSY)
    this.#underWay.set(person, own + 1)
    this.#all += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#all -= 1
      const left = (this.#underWay.get(person) ?? 0) - 1
      if (left > 0) this.#underWay.set(person, left)
      else this.#underWay.delete(person)
    }
  }
}

const OWN_BUSY = `이미 파일 ${MAX_OF_PERSON}개를 만들고 있습니다. 다 내려받은 뒤에 다시 해 주세요.`
const ALL_BUSY = '지금 만들고 있는 파일이 많습니다. 잠시 뒤에 다시 해 주세요.'

/** What is under way in the instant of a look is done at the next one: so many looks. */
const LOOKS = 3

/** What a look still finds at the last of three, `ms` apart; the first that finds nothing is the last. */
export async function lookAgain<T>(ms: number, look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (let looks = 1; ; looks++) {
    const found = await look()
    if (found.length === 0 || looks === LOOKS) return found
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

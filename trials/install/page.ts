/** The commands of the blocks ```` ```sh NAME ```` of a page, in their order; a line that ends with \ goes on. */
export function commandsOf(page: string, name: string): string[] {
  const block = new RegExp(`^\`\`\`sh ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1]
  if (block === undefined) throw new Error(`the page has no block of commands "${name}"`)
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** What a reader puts in for the words in angle brackets. Throws for one that has no value here. */
export function filledIn(command: string, values: Readonly<Record<string, string>>): string {
  return command.replace(/<([^>]+)>(?=\s|\/|$|')/g, (_, word: string) => {
    const value = values[word]
    if (value === undefined) throw new Error(`nobody says what <${word}> is in: ${command}`)
    return value
  })
}

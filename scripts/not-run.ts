/** The exit code of a judge that could not look, because this machine lacks what it needs: neither passed nor failed. */
export const NOT_RUN = 77

/** Says so in the judge's last line. */
export function notRun(why: string): void {
  process.stdout.write(`NOT RUN: ${why}\n`)
  process.exitCode = NOT_RUN
}

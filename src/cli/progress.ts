import type { Progress } from '../transfer/import-directory.ts'

/** Shows the progress in one line on a terminal while the work runs. */
export async function withProgress<T>(work: (progress: (now: Progress) => void) => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return await work(() => undefined)
  const show = (line: string): void => {
    stderr.clearLine(0)
    stderr.cursorTo(0)
    stderr.write(line)
  }
  try {
    return await work(({ done, total, stage }) => show(`${Math.floor((100 * done) / Math.max(total, 1))} %  ${stage}`))
  } finally {
    show('')
  }
}

import type { ProgressListener } from '../base/progress.ts'

/** Shows the progress of the work in one line of a terminal while it runs; elsewhere it says nothing. */
export async function withProgress<T>(work: (progress: ProgressListener) => Promise<T>): Promise<T> {
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

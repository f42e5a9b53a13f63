import { SingleBar } from 'cli-progress'
import type { Progress } from '../transfer/import-directory.ts'

/** Shows a progress bar on a terminal while the work runs. */
export async function withProgress<T>(
  work: (progress: (now: Progress) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return await work(() => undefined)
  const bar = new SingleBar({ format: '{bar} {percentage} %  {stage}', hideCursor: true })
  let isStarted = false
  try {
    return await work(({ done, total, stage }) => {
      if (isStarted) bar.setTotal(total)
      if (isStarted) bar.update(done, { stage })
      else bar.start(total, done, { stage })
      isStarted = true
    })
  } finally {
    if (isStarted) bar.stop()
  }
}

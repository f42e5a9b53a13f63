/** Milliseconds of processor time that this thread spends until `work` is done; other programs do not count. */
export const processorTime = async (work: () => unknown): Promise<number> => (await measured(work)).time

/** As `processorTime`, with the result of the work. */
export async function measured<T>(work: () => T): Promise<{ readonly time: number; readonly result: Awaited<T> }> {
  const start = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(start)
  return { time: (user + system) / 1000, result }
}

/** Milliseconds of processor time that this thread spends until `work` is done; other programs do not count. */
export async function processorTime(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

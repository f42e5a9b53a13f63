import { cpus, totalmem } from 'node:os'

/** The machine in a few words. */
export function machine(): string {
  const [first] = cpus()
  const model = first?.model.trim() ?? 'unknown processor'
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${model}, ${gigabytes} GB, Node ${process.versions.node}`
}

import { type Reply, send } from './client.ts'
import { probeDataset } from './dataset.ts'
import { measureRead } from './measure/read-load.ts'
import type { GrowthPoint, GrowthRow } from './result.ts'
import { type Storage, startOwnServer } from './servers/own-server.ts'
import { READS } from './shapes/reads.ts'

/** 10 thousand, 100 thousand and 1 million interfaces. */
export const SCALES: readonly number[] = [0.01, 0.1, 1]

export interface GrowthOptions {
  /** Scales as for `npm run generate`, ascending. */
  readonly scales: readonly number[]
  readonly seconds: number
  readonly nothingKept: boolean
  readonly progress: (text: string) => void
}

/** Measures the same pages over data sets of growing size, each on a server of its own, over one connection. */
export async function measureGrowth(
  storage: Storage,
  { scales, seconds, nothingKept, progress }: GrowthOptions,
): Promise<GrowthRow[]> {
  const points = new Map<string, GrowthPoint[]>()
  for (const scale of scales) {
    const filling = { kind: 'generate', options: ['--scale', String(scale)] } as const
    const server = await startOwnServer(storage, filling, { nothingKept })
    try {
      const dataset = await probeDataset(server.access)
      const interfaces = dataset.counts.interfaces ?? 0
      for (const { name, path, grows, method = 'GET' } of READS) {
        const address = path(dataset)
        if (!grows || address === undefined) continue
        const load = { name, method, path: address, connections: 1, varied: true, seconds }
        const { median } = await measureRead(server.access, server.watched, load)
        const objects = objectsIn(await send(server.access, method, address))
        progress(`${interfaces} interfaces  ${name}  ${objects} objects  ${median} ms`)
        points.set(name, [...(points.get(name) ?? []), { interfaces, objects, median }])
      }
    } finally {
      await server.close()
    }
  }
  return [...points].map(([name, each]) => ({ name, points: each }))
}

/** Number of objects in a response. */
export function objectsIn({ body }: Reply): number {
  const shown: { readonly results?: readonly unknown[] } = JSON.parse(body.toString())
  return shown.results?.length ?? 1
}

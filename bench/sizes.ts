import { type Access, send } from './client.ts'
import { probeDataset } from './dataset.ts'
import { objectsIn } from './growth.ts'
import { growthOf } from './growth-of.ts'
import { measureRead } from './measure/read-load.ts'
import { figure, markdownTable } from './report/number-format.ts'
import type { GrowthRow } from './result.ts'
import { READS } from './shapes/reads.ts'
import type { TurnOptions } from './turns.ts'

/**
 * The same pages on two running servers, over a small and a large data set, measured alternately over one connection. The times are the
 * least of the turns' medians: other work on the machine only adds to them.
 */
export async function measureSizes(
  servers: readonly Access[],
  { turns, seconds, isWanted, progress }: Omit<TurnOptions, 'connections' | 'readOnly'>,
): Promise<GrowthRow[]> {
  const targets = await Promise.all(
    servers.map(async (access) => ({ access, dataset: await probeDataset(access) })),
  )
  const rows: GrowthRow[] = []
  for (const { name, path, grows, method = 'GET' } of READS) {
    if (!grows || !isWanted(name)) continue
    const pages = targets.flatMap(({ access, dataset }) => {
      const address = path(dataset)
      return address === undefined ? [] : [{ access, address, dataset, medians: [] as number[] }]
    })
    for (let turn = 0; turn < turns; turn++) {
      for (const { access, address, medians } of pages) {
        const load = { name, method, path: address, connections: 1, varied: true, seconds }
        medians.push((await measureRead(access, {}, load)).median)
      }
    }
    const points = pages.map(async ({ access, address, dataset, medians }) => ({
      interfaces: dataset.counts.interfaces ?? 0,
      objects: objectsIn(await send(access, method, address)),
      median: Math.min(...medians),
    }))
    rows.push({ name, points: await Promise.all(points) })
    progress(
      `${name}  ${rows
        .at(-1)
        ?.points.map(({ median }) => median)
        .join('  ')} ms`,
    )
  }
  return rows
}

/** Table of pages over a small and a large data set; without a ratio where their numbers of objects differ. */
export const sizeTable = (rows: readonly GrowthRow[]): string =>
  markdownTable(
    ['request', 'objects', 'small, ms', 'large, ms', 'ratio'],
    rows.map((row) => {
      const [small, large] = row.points
      const isAlike = small?.objects === large?.objects
      return [
        row.name,
        isAlike ? String(small?.objects) : `${small?.objects}, ${large?.objects}`,
        figure(small?.median ?? null),
        figure(large?.median ?? null),
        isAlike ? figure(growthOf(row)) : '',
      ]
    }),
  )

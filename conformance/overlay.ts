import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { datasetResources } from './recordings.ts'

/**
 * Makes a reference directory in `folder`: the recordings of `overlay`, on the data set of `base` with the rows of the overlay added or,
 * where the id is the same, in their place.
 */
export function laidOver(overlay: string, base: string, folder: string): string {
  mkdirSync(join(folder, 'dataset'), { recursive: true })
  for (const name of readdirSync(overlay)) {
    if (name !== 'dataset') symlinkSync(join(overlay, name), join(folder, name))
  }
  for (const name of ['media', 'extra']) {
    if (existsSync(join(base, 'dataset', name))) {
      symlinkSync(join(base, 'dataset', name), join(folder, 'dataset', name))
    }
  }
  for (const resource of new Set([...datasetResources(base), ...datasetResources(overlay)])) {
    const rows = new Map([...rowsOf(base, resource), ...rowsOf(overlay, resource)])
    const lines = [...rows].sort(([a], [b]) => a - b).map(([, line]) => line)
    const file = fileOf(folder, resource)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gzipSync(lines.map((line) => `${line}\n`).join(''), { level: 1 }))
  }
  return folder
}

const fileOf = (directory: string, resource: string): string => join(directory, 'dataset', `${resource}.jsonl.gz`)

/** The lines of a collection by the ids of their objects. */
function rowsOf(directory: string, resource: string): readonly (readonly [id: number, line: string])[] {
  const file = fileOf(directory, resource)
  if (!existsSync(file)) return []
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  // The structure is trusted, as in recordings.ts.
  return lines.filter((line) => line !== '').map((line) => [(JSON.parse(line) as { id: number }).id, line])
}

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
  const media = join('dataset', 'media')
  if (existsSync(join(base, media))) symlinkSync(join(base, media), join(folder, media))
  copyExtra(overlay, base, folder)
  for (const resource of new Set([...datasetResources(base), ...datasetResources(overlay)])) {
    const rows = new Map([...rowsOf(base, resource), ...rowsOf(overlay, resource)])
    const lines = [...rows].sort(([a], [b]) => a - b).map(([, line]) => line)
    const file = fileOf(folder, resource)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gzipSync(lines.map((line) => `${line}\n`).join(''), { level: 1 }))
  }
  return folder
}

/**
 * Copies the other data of the data set, without the values of rows that the overlay replaces, because these contain
 * their own.
 */
function copyExtra(overlay: string, base: string, folder: string): void {
  const extra = join('dataset', 'extra')
  if (!existsSync(join(base, extra))) return
  mkdirSync(join(folder, extra))
  const replaced = new Set(
    datasetResources(overlay).flatMap((resource) => rowsOf(overlay, resource).map(([id]) => `${resource} ${id}`)),
  )
  for (const name of readdirSync(join(base, extra))) {
    const lines = gunzipSync(readFileSync(join(base, extra, name)))
      .toString('utf8')
      .split('\n')
    const isKept = (line: string): boolean => {
      if (line === '') return true
      const { endpoint, id, fields } = JSON.parse(line) as { endpoint: string; id: number; fields: object }
      return !('last_updated' in fields && replaced.has(`${endpoint} ${id}`))
    }
    writeFileSync(join(folder, extra, name), gzipSync(lines.filter(isKept).join('\n'), { level: 1 }))
  }
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

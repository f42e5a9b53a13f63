import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Service } from '../../src/service.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'

/** Files about the writes themselves. */
const OF_WRITES = /^(core\/object-changes|core\/jobs|users\/tokens)\./

/** The data set that an export writes, by file, without change records. */
export async function exportTexts(service: Service): Promise<Readonly<Record<string, string>>> {
  const directory = mkdtempSync(join(tmpdir(), 'export-'))
  try {
    await exportDataSet(service, join(directory, 'set'))
    const files = globSync('**/*.gz', { cwd: join(directory, 'set') }).sort()
    return Object.fromEntries(
      files
        .filter((file) => !OF_WRITES.test(file))
        .map((file) => [file, withoutChanges(gunzipSync(readFileSync(join(directory, 'set', file))).toString())]),
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Hidden fields of change records and jobs are in a file with those of all objects. */
const withoutChanges = (lines: string): string =>
  lines
    .split('\n')
    .filter((line) => !/^\{"endpoint":"core\/(object-changes|jobs)"/.test(line))
    .join('\n')

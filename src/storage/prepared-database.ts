import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type DatabaseFile, MemoryFiles } from './memory-files.ts'
import { PgliteEngine } from './pglite-engine.ts'

/** Files of a database with tables and without objects; scripts/prepare-database.ts writes the archive. */
export const ARCHIVE = join(import.meta.dirname, '../../vendor/prepared-database.tar.zst')

/** Extensions that a database may enable. */
export const EXTENSIONS = { pg_trgm }

/** The default takes 160 MB of this process for each engine; the operating system caches the files of one on disk anyway. */
export const BUFFERS = ['-c', 'shared_buffers=32MB'] as const

/**
 * The prepared database as a tar archive. It may be of an earlier version of the program: like any other
 * database it is brought up to date by a migration.
 */
export async function preparedFiles(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await promisify(zstdDecompress)(await readFile(ARCHIVE)))
}

/** Starts PGlite in memory, over the files, which it leaves as they are, or over an empty database, which takes seconds. */
export const startInMemory = (files?: readonly DatabaseFile[]): Promise<PgliteEngine> =>
  PgliteEngine.start({
    extensions: EXTENSIONS,
    startParams: [...PGlite.defaultStartParams, ...BUFFERS],
    ...(files !== undefined && { fs: new MemoryFiles(files) }),
  })

/** The files of an engine that runs in memory, as a tar archive. */
export async function filesOf(engine: PGlite): Promise<Uint8Array<ArrayBuffer>> {
  // Otherwise the next start from these files would repeat what the log holds.
  await engine.exec('checkpoint')
  return new Uint8Array(await (await engine.dumpDataDir('none')).arrayBuffer())
}

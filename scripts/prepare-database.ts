import { writeFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { modelRegistry } from '../src/core.ts'
import { migrate } from '../src/migrate/migrate.ts'
import { sql } from '../src/sql/fragment.ts'
import { systemTable } from '../src/sql/table.ts'
import { databaseOver } from '../src/storage/pglite.ts'
import { ARCHIVE, filesOf, startInMemory } from '../src/storage/prepared-database.ts'
import { MOMENT_TABLE } from '../src/versions/number.ts'

// Writes vendor/prepared-database.tar.zst, from which the embedded database is made at a first start. To be
// run when test/storage/prepared-database.test.ts says so, after an update of PGlite, and before a release:
//   npx node scripts/prepare-database.ts

const engine = await startInMemory()
const database = await databaseOver(engine, () => undefined)
await migrate(database, modelRegistry())
// The history of each database that is made from it begins at its own first start.
await database.execute(sql`delete from ${systemTable(MOMENT_TABLE)}`)
const files = await filesOf(engine)
await database.close()
const params = {
  [constants.ZSTD_c_compressionLevel]: 22,
  // The three databases of a server are nearly the same, some tens of megabytes apart.
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
}
const packed = zstdCompressSync(files, { params })
writeFileSync(ARCHIVE, packed)
console.log(`${ARCHIVE}: ${packed.length} bytes for ${files.length} bytes of files.`)

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import { shownVariables } from './declaration.ts'
import { type DescribedFile, fileVersion } from './describe.ts'

/** Name of the directory in the table of files. */
const ROOT = 'scripts'

/**
 * Stores which scripts the file of that path has. Scripts that no longer exist are kept, for their jobs, and cannot be
 * run. Returns the module's id. `isReplaced`: the file has just been uploaded again, with other content.
 */
export const storeModule = (
  { database, clock }: Service,
  path: string,
  { version, scripts }: DescribedFile,
  isReplaced = false,
): Promise<number> =>
  database.transaction(async (transaction) => {
    await lockScripts(transaction)
    const now = currentTimestamp(clock)
    const module = await moduleId(transaction, basename(path), now)
    // Who has written the file in the meantime stores its scripts.
    if (!existsSync(path) || fileVersion(path) !== version) return module
    if (isReplaced) {
      await transaction.execute(sql`
        ${updateTable(SYSTEM.scriptModule)} set last_updated = ${now}::timestamptz where id = ${module}::bigint`)
    }
    const names = scripts.map(({ name }) => name)
    await transaction.execute(sql`
      ${updateTable(SYSTEM.script)} set is_executable = false
      where module_id = ${module}::bigint and is_executable and name <> all(${names}::text[])`)
    for (const script of scripts) {
      const variables = JSON.stringify(shownVariables(script))
      const { title, timeout, notifications } = script
      const options = JSON.stringify({ title, timeout, notifications })
      const changed = await transaction.execute(sql`
        ${updateTable(SYSTEM.script)} set description = ${script.description}, vars = ${variables}::json,
          options = ${options}::jsonb, is_executable = true
        where module_id = ${module}::bigint and name = ${script.name}`)
      if (changed > 0) continue
      await transaction.execute(sql`
        ${insertInto(SYSTEM.script)} (module_id, name, description, vars, options, is_executable)
        values (${module}::bigint, ${script.name}, ${script.description}, ${variables}::json, ${options}::jsonb, true)`)
    }
    return module
  })

/** Several processes may read the directory, and accept uploads in the meantime: each stores what it finds after this. */
const lockScripts = (transaction: Transaction): Promise<unknown> =>
  transaction.query(volatile`select pg_advisory_xact_lock(hashtextextended('cadastre scripts', 0))`)

async function moduleId(transaction: Transaction, file: string, now: string): Promise<number> {
  const [module] = await transaction.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.scriptModule)} where file_root = ${ROOT} and file_path = ${file}`)
  if (module) return module.id
  const [added] = await transaction.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.scriptModule)} (file_path, file_root, created, data_path, auto_sync_enabled)
    values (${file}, ${ROOT}, ${now}::timestamptz, '', false) returning id`)
  if (!added) throw new Error('The module was not stored')
  return added.id
}

/** Marks the scripts of deleted files as not executable. `listFiles` returns the names of those that exist now. */
export const retireModules = ({ database }: Service, listFiles: () => readonly string[]): Promise<void> =>
  database.transaction(async (transaction) => {
    await lockScripts(transaction)
    await transaction.execute(sql`
      ${updateTable(SYSTEM.script)} set is_executable = false
      where is_executable and module_id in (
        select id from ${table(SYSTEM.scriptModule)}
        where file_root = ${ROOT} and file_path <> all(${listFiles()}::text[]))`)
  })

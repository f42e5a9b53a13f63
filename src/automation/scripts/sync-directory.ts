import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { LoopLog } from '../../changes/background/loop.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { describedFile, fileVersion } from './describe.ts'
import { PythonDescriber } from './python-run.ts'
import { isScriptFile, scriptsRootOf } from './scripts-root.ts'
import { retireModules, storeModule } from './store-module.ts'

/** Milliseconds between two checks of the directory. */
const PERIOD = 30_000

/**
 * Shows the scripts of the directory in the API, and follows its changes. A file that cannot be loaded is logged; its
 * scripts are left unchanged. Throws ConfigurationError if SCRIPTS_ROOT is not a directory.
 */
export function followDirectory(service: Service, log: LoopLog): readonly BackgroundWork[] {
  const { scriptsRoot, maintenanceMode } = service.settings
  if (maintenanceMode) return []
  if (scriptsRoot !== undefined && !statSync(scriptsRoot, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigurationError(`SCRIPTS_ROOT must be a directory, not ${JSON.stringify(scriptsRoot)}.`)
  }
  let seen: ReadonlyMap<string, string> | undefined
  const turn = async () => {
    const current = currentService(service)
    const root = scriptsRootOf(service)
    await writeSourceFiles(service, root)
    // Until the default directory is made, the scripts of an import are a record.
    if (!existsSync(root)) return 'idle' as const
    const present = versions(root)
    const changed = [...present].flatMap(([file, version]) => (seen?.get(file) === version ? [] : [file]))
    // Interpreters take longer to start than most files take to load.
    const describer = new PythonDescriber(current)
    try {
      for (const file of changed) await load(current, join(root, file), describer, log)
    } finally {
      describer.close()
    }
    const isMissing = seen === undefined || [...seen.keys()].some((file) => !present.has(file))
    if (isMissing) await retireModules(service, () => filesOf(root))
    seen = present
    return 'idle' as const
  }
  return [{ name: 'directory of scripts', idleMs: PERIOD, wokenBy: [SYSTEM.dataFile], turn }]
}

/** Writes the new content of files of data sources whose modules follow it. */
async function writeSourceFiles({ database }: Service, root: string): Promise<void> {
  const outdated = await database.query<{ id: number; name: string; data: string; updated: string }>(sql`
    select m.id, m.file_path as name, f.data, f.last_updated as updated from ${table(SYSTEM.scriptModule)} m
    join ${table(SYSTEM.dataFile)} f on f.id = m.data_file_id
    where m.auto_sync_enabled and m.data_synced < f.last_updated`)
  for (const { id, name, data, updated } of outdated) {
    if (isScriptFile(name)) writeFileSync(join(root, name), Buffer.from(data, 'base64'), { mode: 0o640 })
    await database.execute(sql`
      ${updateTable(SYSTEM.scriptModule)} set data_synced = ${updated}::timestamptz where id = ${id}::bigint`)
  }
}

const filesOf = (root: string): readonly string[] => readdirSync(root).filter(isScriptFile)

const versions = (root: string): ReadonlyMap<string, string> =>
  new Map(filesOf(root).map((file) => [file, fileVersion(join(root, file))]))

async function load(service: Service, path: string, describer: PythonDescriber, log: LoopLog): Promise<void> {
  try {
    await storeModule(service, path, await describedFile(service, path, describer))
  } catch (error) {
    log.error({ err: error }, `the scripts of ${basename(path)} cannot be loaded`)
  }
}

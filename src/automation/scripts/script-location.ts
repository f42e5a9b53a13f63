import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ApiError } from '../../base/errors.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { JobFailed } from '../jobs/job-kind.ts'
import type { ScriptDeclaration } from './declaration.ts'
import { declarationsOf } from './describe.ts'
import { isScriptFile, moduleOf, refusedFile, scriptsRootOf } from './scripts-root.ts'

/** Where a script is. */
export interface ScriptLocation {
  /** Absolute path of the directory of scripts. */
  readonly root: string
  /** Absolute path of its file. */
  readonly file: string
  /** Name of the file without its extension. */
  readonly module: string
  /** Name of the script in the file. */
  readonly name: string
}

/**
 * The file of the script with the id. Throws JobFailed if there is no such script or if it is not in Python, and
 * `unavailable` if its file is missing.
 */
export async function scriptLocation(service: Service, id: number | undefined): Promise<ScriptLocation> {
  const [script] = await service.database.query<{ name: string; file_path: string }>(sql`
    select s.name, m.file_path from ${table(SYSTEM.script)} s
    join ${table(SYSTEM.scriptModule)} m on m.id = s.module_id
    where s.id = ${id ?? null}::bigint`)
  if (!script) throw new JobFailed('The script has been deleted.')
  const { name, file_path: path } = script
  if (!isScriptFile(path)) throw new JobFailed(refusedFile(path))
  const root = scriptsRootOf(service)
  const file = join(root, path)
  if (existsSync(file)) return { root, file, name, module: moduleOf(path) }
  const detail = `Unable to process request: the file of this script, ${path}, is not in SCRIPTS_ROOT.`
  throw new ApiError({ kind: 'unavailable', detail })
}

/** The file of a script cannot be loaded any more; the message is a sentence. */
export class ScriptNotLoaded extends Error {
  override readonly name = 'ScriptNotLoaded'
}

/**
 * The script's declaration in its file. Throws JobFailed if the file no longer has such a script, and ScriptNotLoaded if
 * it cannot be loaded.
 */
export async function currentDeclaration(service: Service, { file, name }: ScriptLocation): Promise<ScriptDeclaration> {
  const declarations = await loaded(service, file)
  const declaration = declarations.find((script) => script.name === name)
  if (!declaration) throw new JobFailed(`The file no longer contains the script ${name}.`)
  return declaration
}

/**
 * As `currentDeclaration`, for a request. If the script cannot run, throws `exhausted` with a sentence about `subject`,
 * such as `The script`.
 */
export async function requestedDeclaration(service: Service, id: number, subject: string): Promise<ScriptDeclaration> {
  try {
    return await currentDeclaration(service, await scriptLocation(service, id))
  } catch (error) {
    if (!(error instanceof JobFailed || error instanceof ScriptNotLoaded)) throw error
    throw new ApiError({ kind: 'exhausted', detail: `${subject} cannot run: ${error.message}` })
  }
}

async function loaded(service: Service, file: string): Promise<readonly ScriptDeclaration[]> {
  try {
    return await declarationsOf(service, file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ScriptNotLoaded(`The file ${basename(file)} cannot be loaded: ${reason.replace(/\.$/, '')}.`)
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { kernelWalls, missingWalls } from '../../automation/confinement/walls.ts'
import { scriptsDirectory } from '../../automation/scripts/scripts-root.ts'
import { activeRevision } from '../../changes/configuration-revisions.ts'
import { withRevision } from '../../config/dynamic-settings.ts'
import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Checks that the files of scripts and validators exist: a restore on another machine may lack them. */
export async function checkScripts(database: Database, settings: Settings): Promise<readonly Finding[]> {
  const directory = scriptsDirectory(settings)
  const files = await database.queryColumn(sql`select m.file_path from ${table(SYSTEM.scriptModule)} m order by 1`)
  const missing = files.map(String).filter((file) => !existsSync(join(directory, file)))
  const { customValidators } = withRevision(settings, await activeRevision(database)).settings
  const names = Object.values(customValidators).flatMap((rules) => rules.filter((rule) => typeof rule === 'string'))
  const modules = [...new Set(names.map((name) => name.split('.')[0] ?? name))]
  const absent = modules.filter(
    (name) => !existsSync(join(directory, `${name}.py`)) && !existsSync(join(directory, name)),
  )
  const advice = `Copy the missing files to ${directory}.`
  const findings: Finding[] = []
  if (missing.length > 0)
    findings.push(warning('scripts', `Files of scripts are missing: ${missing.join(', ')}.`, advice))
  // An ordinary Python may have the module installed.
  if (absent.length > 0 && settings.scriptsPython === undefined) {
    const text = `CUSTOM_VALIDATORS names modules that do not exist, so every write of their models is refused: ${absent.join(', ')}.`
    findings.push(problem('validators', text, advice))
  }
  return findings.length > 0 ? findings : [ok('scripts', 'The files of all scripts and validators exist.')]
}

/** Checks by what the kernel confines scripts and templates. */
export async function checkWalls(): Promise<Finding> {
  const walls = await kernelWalls()
  const missing = missingWalls(walls)
  if (missing === undefined) {
    return ok(
      'scripts',
      `The kernel confines scripts and templates by seccomp and version ${walls.landlock} of Landlock.`,
    )
  }
  const advice =
    'Let only people whom you trust write scripts and templates, or use Linux 6.12 or later on x86-64 or arm64.'
  return warning('scripts', missing, advice)
}

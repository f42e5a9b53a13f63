import { cp, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkScripts } from '../automation/scripts/check-files.ts'
import { describedFile } from '../automation/scripts/describe.ts'
import { PythonDescriber } from '../automation/scripts/python-run.ts'
import { isScriptFile, scriptsDirectory } from '../automation/scripts/scripts-root.ts'
import { storeModule } from '../automation/scripts/store-module.ts'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import type { Service } from '../service.ts'

/**
 * Copies the files of a directory of scripts, except those that exist already, and says for each which scripts it
 * contains and what cannot run here. Imported scripts of these files keep their ids and jobs. Throws ConfigurationError
 * if the directory cannot be read.
 */
export async function importScripts(service: Service, directory: string, say: (text: string) => void): Promise<void> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new ConfigurationError(`The scripts in ${directory} cannot be read (${codeOf(error)}).`)
  })
  const target = scriptsDirectory(service.settings)
  const isUseful = (path: string): boolean => !/^(__pycache__|\..*)$/.test(basename(path)) || path === directory
  await cp(directory, target, { recursive: true, force: false, filter: isUseful })
  say(`Scripts copied to ${target}:`)
  const problems = await checkScripts(service, directory)
  const describer = new PythonDescriber(service)
  try {
    for (const name of names.filter(isScriptFile).sort()) {
      say(`  ${name}: ${await listScripts(service, name, target, describer)}`)
      for (const { line, text } of problems.get(name) ?? []) say(`    line ${line}: ${text}`)
    }
  } finally {
    describer.close()
  }
}

/** Stores the scripts of a file; their names, or why there are none. */
async function listScripts(
  service: Service,
  name: string,
  directory: string,
  describer: PythonDescriber,
): Promise<string> {
  try {
    const path = join(directory, name)
    const described = await describedFile(service, path, describer)
    await storeModule(service, path, described)
    return described.scripts.map((script) => script.name).join(', ') || 'no scripts'
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
  }
}

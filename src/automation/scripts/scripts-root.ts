import { existsSync, realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ApiError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { Service } from '../../service.ts'
import type { ScriptRights } from './script-process.ts'

/** The directory of scripts. */
export const scriptsDirectory = ({ scriptsRoot, dataDir }: Pick<Settings, 'scriptsRoot' | 'dataDir'>): string =>
  scriptsRoot ?? join(dataDir, 'scripts')

/** Permissions and limits of the processes of scripts. */
export function scriptRights({ settings }: Pick<Service, 'settings'>): ScriptRights {
  const directory = resolve(scriptsDirectory(settings))
  // Permissions apply to the real path, not to a link to it. The default directory is made by the first upload.
  return { ...settings, scriptsRoot: existsSync(directory) ? realpathSync(directory) : directory }
}

/** Directories have names of at most 255 bytes. */
const SCRIPT_FILE = /^[\w-][\w.-]*\.(ts|mts|js|mjs|py)$/

/** Whether a file of that name, directly in the directory, is loaded as a module of scripts. */
export const isScriptFile = (name: string): boolean =>
  name.length <= 255 && SCRIPT_FILE.test(name) && basename(name) === name && !name.endsWith('.d.ts')

/** Whether the file is written in Python. */
export const isPython = (file: string): boolean => file.endsWith('.py')

/** Name of the module that a file is: its name without the extension. */
export const moduleOf = (file: string): string => file.replace(/\.[^.]*$/, '')

/** Absolute path of a module's file. Throws `unavailable` for a file that is missing or cannot be a module. */
export function modulePath(rights: ScriptRights, file: string): string {
  const path = join(rights.scriptsRoot, file)
  if (isScriptFile(file) && existsSync(path)) return path
  const detail = `Unable to process request: the file of this script, ${file}, is not in SCRIPTS_ROOT.`
  throw new ApiError({ kind: 'unavailable', detail })
}

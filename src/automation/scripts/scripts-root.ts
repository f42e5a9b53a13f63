import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ApiError } from '../../base/errors.ts'
import type { Service } from '../../service.ts'
import type { ScriptRights } from './script-process.ts'

/**
 * Permissions and limits of the processes of scripts. Throws `unavailable` if no directory of scripts is configured.
 */
export function scriptRights({ settings }: Pick<Service, 'settings'>): ScriptRights {
  const { scriptsRoot } = settings
  if (scriptsRoot === undefined) {
    const detail = 'Unable to process request: SCRIPTS_ROOT names no directory of scripts.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
  // Permissions apply to the real path, not to a link to it.
  return { ...settings, scriptsRoot: realpathSync(scriptsRoot) }
}

/** Directories have names of at most 255 bytes. */
const SCRIPT_FILE = /^[\w-][\w.-]*\.(ts|mts|js|mjs)$/

/** Whether a file of that name, directly in the directory, is loaded as a module of scripts. */
export const isScriptFile = (name: string): boolean =>
  name.length <= 255 && SCRIPT_FILE.test(name) && basename(name) === name && !name.endsWith('.d.ts')

/**
 * Absolute path of a module's file. Throws `unavailable` for a file that cannot be a module, such as one whose record
 * was imported.
 */
export function modulePath(rights: ScriptRights, file: string): string {
  if (!isScriptFile(file)) {
    // The name of an imported file is a guess: responses of the source contain it without its extension.
    const detail =
      'Unable to process request: the file of this script is not in SCRIPTS_ROOT, or neither TypeScript nor JavaScript.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
  return join(rights.scriptsRoot, file)
}

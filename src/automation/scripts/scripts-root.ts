import { existsSync, realpathSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import type { Service } from '../../service.ts'

/** The directory of scripts. */
export const scriptsDirectory = ({ scriptsRoot, dataDir }: Pick<Settings, 'scriptsRoot' | 'dataDir'>): string =>
  scriptsRoot ?? join(dataDir, 'scripts')

/** Absolute path of the directory of scripts, without links if it exists: the first upload makes the default one. */
export function scriptsRootOf({ settings }: Pick<Service, 'settings'>): string {
  const directory = resolve(scriptsDirectory(settings))
  return existsSync(directory) ? realpathSync(directory) : directory
}

/** Directories have names of at most 255 bytes. */
const SCRIPT_FILE = /^[\w-][\w.-]*\.py$/

/** Whether a file of that name, directly in the directory, is loaded as a module of scripts. */
export const isScriptFile = (name: string): boolean =>
  name.length <= 255 && SCRIPT_FILE.test(name) && basename(name) === name

/** Extensions of the languages that scripts were once written in. */
const FORMER = new Set(['.ts', '.mts', '.js', '.mjs', '.cjs'])

/** Why no file of that name can be a module of scripts. */
export const refusedFile = (name: string): string =>
  FORMER.has(extname(name))
    ? `Scripts are written in Python: ${name} cannot run. TypeScript is for plug-ins.`
    : 'Scripts are files such as name.py, with at most 255 characters.'

/** Name of the module that a file is: its name without the extension. */
export const moduleOf = (file: string): string => file.replace(/\.[^.]*$/, '')

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VENDOR = join(ROOT, '../../../vendor')

/** Python's search path: the inventory, the programs of the processes, and the modules of Django and NetBox. */
const FOLDERS = ['netbox', 'programs', 'shims'] as const

/** Archives in which Python searches modules after that. */
const ARCHIVES = ['netaddr-1.3.0-py3-none-any.whl', 'pyyaml-6.0.2.zip'] as const
/** What only templates import, and therefore only Python in WebAssembly. */
const JINJA = 'jinja2-3.1.6-py3-none-any.whl'

/** Files that Python imports: their paths in its own file system, and their content. */
export const pythonFiles = (): readonly (readonly [path: string, content: Uint8Array])[] => [
  ...FOLDERS.flatMap((folder) => filesIn(ROOT, folder)),
  ...filesIn(VENDOR, 'markupsafe'),
  ...[JINJA, ...ARCHIVES].map((name) => [`/lib/${name}`, readFileSync(join(VENDOR, name))] as const),
]

const filesIn = (directory: string, folder: string) =>
  readdirSync(join(directory, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py'))
    .map((name) => {
      const path = `/lib/${folder}/${name.replaceAll(sep, '/')}`
      return [path, readFileSync(join(directory, folder, name))] as const
    })

/** Where Python in WebAssembly searches modules. */
export const PYTHON_PATH: readonly string[] = [
  ...[...FOLDERS, JINJA, ...ARCHIVES].map((name) => `/lib/${name}`),
  '/lib',
]

/** Where an ordinary Python searches the modules of scripts. */
export const INSTALLED_PATH: readonly string[] = [
  ...FOLDERS.map((folder) => join(ROOT, folder)),
  ...ARCHIVES.map((name) => join(VENDOR, name)),
]

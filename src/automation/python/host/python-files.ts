import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VENDOR = join(ROOT, '../../../vendor')

/** Folders of the program in which Python searches modules, in this order. */
const FOLDERS = ['netbox', 'programs'] as const

/** Archives in which Python searches modules after that. */
const ARCHIVES = ['netaddr-1.3.0-py3-none-any.whl', 'pyyaml-6.0.2.zip'] as const
/** What only templates import, and therefore only Python in WebAssembly. */
const JINJA = 'jinja2-3.1.6-py3-none-any.whl'

/** Files that Python imports: their paths in its own file system, and their content. */
export const pythonFiles = (): readonly (readonly [path: string, content: Uint8Array])[] => [
  ...FOLDERS.flatMap((folder) => filesIn(ROOT, folder, /\.(py|json)$/)),
  ...filesIn(VENDOR, 'markupsafe', /\.py$/),
  ...[JINJA, ...ARCHIVES].map((name) => [`/lib/${name}`, readFileSync(join(VENDOR, name))] as const),
]

const filesIn = (directory: string, folder: string, names: RegExp) =>
  readdirSync(join(directory, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => [`/lib/${folder}/${name}`, readFileSync(join(directory, folder, name))] as const)

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

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Files that Python imports: their paths in its own file system, and their content. */
export const pythonFiles = (): readonly (readonly [path: string, content: Uint8Array])[] =>
  [...FILES, ...scriptFiles()].map(([path, source]) => [path, readFileSync(new URL(source, import.meta.url))])

const SCRIPTS = '../scripts/python/'

/** The package with which scripts in Python run. */
const scriptFiles = (): readonly (readonly [path: string, source: string])[] =>
  readdirSync(new URL(SCRIPTS, import.meta.url))
    .filter((name) => /\.(py|json)$/.test(name))
    .map((name) => [`/lib/${name}`, `${SCRIPTS}${name}`])

/** The directories of these files, in the order in which Python searches them. */
export const PYTHON_PATH = ['/lib', '/lib/jinja2.whl', '/lib/netaddr.whl', '/lib/pyyaml.zip']

const NETADDR = '../../../vendor/netaddr-1.3.0-py3-none-any.whl'
const YAML = '../../../vendor/pyyaml-6.0.2.zip'

/** Where an ordinary Python finds the package for scripts, with what it imports. */
export const INSTALLED_PATH: readonly string[] = [SCRIPTS, './', NETADDR, YAML].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

const FILES = [
  ['/lib/jinja2.whl', '../../../vendor/jinja2-3.1.6-py3-none-any.whl'],
  ['/lib/netaddr.whl', NETADDR],
  ['/lib/pyyaml.zip', YAML],
  ['/lib/markupsafe/__init__.py', '../../../vendor/markupsafe/__init__.py'],
  ['/lib/markupsafe/_native.py', '../../../vendor/markupsafe/_native.py'],
  ['/lib/models.py', './models.py'],
  ['/lib/objects.py', './objects.py'],
  ['/lib/render.py', './render.py'],
] as const

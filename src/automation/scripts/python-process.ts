import { statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { snapshotsIn } from '../templates/snapshot-store.ts'
import { processStarter } from '../templates/start-process.ts'
import { type OrdinaryPython, TemplateProcess } from '../templates/template-process.ts'
import { choiceFacts, modelFacts } from './model-facts.ts'

const here = dirname(fileURLToPath(import.meta.url))
const vendor = join(here, '../../../vendor')

/** Milliseconds in which an ordinary Python has to start. */
const START = { processor: 60_000, clock: 120_000 }

/** Where an ordinary Python imports the package from. */
const PATH = [
  join(here, 'python'),
  join(here, '../templates'),
  join(vendor, 'netaddr-1.3.0-py3-none-any.whl'),
  join(vendor, 'pyyaml-6.0.2.zip'),
]

/**
 * A new process for scripts in Python: in WebAssembly, without network and files, or the interpreter that
 * SCRIPTS_PYTHON names. Each run has a process of its own, so that no script sees what another one left behind.
 */
export async function startScriptProcess(service: Service, signal: AbortSignal): Promise<TemplateProcess> {
  const { dataDir, scriptsMemory: memory, scriptsPython } = service.settings
  const program = { program: 'scripts', facts: factsFor(service), memory } as const
  if (scriptsPython === undefined)
    return await processStarter(program, snapshotsIn(join(dataDir, 'cache'))).start(signal)
  const process = new TemplateProcess({ ...program, python: ordinaryPython(service.settings) })
  await process.ready(START, signal)
  return process
}

/** Without the environment of the service, which contains its secrets; `-I` would also hide the package. */
function ordinaryPython({ scriptsPython = '', scriptsRoot, scriptsMemory }: Service['settings']): OrdinaryPython {
  const limit = `import resource, runpy; resource.setrlimit(resource.RLIMIT_AS, (${scriptsMemory} * 2 ** 20 * 4,) * 2)`
  return {
    command: scriptsPython,
    args: ['-s', '-c', `${limit}; runpy.run_module('host', run_name='__main__')`],
    env: { PYTHONPATH: PATH.join(delimiter), PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8', LANG: 'C.UTF-8' },
    cwd: scriptsRoot ?? here,
  }
}

const facts = new WeakMap<Service['registry'], string>()

/** What the package has to know of the service: its models, choices and some settings. */
function factsFor({ registry, settings }: Service): string {
  const text = facts.get(registry) ?? JSON.stringify(factsOf(registry, settings))
  facts.set(registry, text)
  return text
}

const factsOf = (registry: Service['registry'], settings: Service['settings']): JsonObject => ({
  models: modelFacts(registry, settings.basePath) as JsonObject, // made of JSON
  choices: choiceFacts(registry),
  settings: {
    VERSION: RELEASES[registry.version] ?? registry.version,
    TIME_ZONE: 'UTC',
    USE_TZ: true,
    LOGIN_REQUIRED: settings.loginRequired,
    PAGINATE_COUNT: settings.paginateCount,
    MAX_PAGE_SIZE: settings.maxPageSize,
    BASE_PATH: settings.basePath.replace(/^\//, ''),
    DEBUG: false,
    PLUGINS: [],
    SCRIPTS_ROOT: settings.scriptsRoot ?? '',
    MEDIA_ROOT: settings.mediaRoot ?? '',
  },
})

/** The release of NetBox whose API the models describe. */
const RELEASES: Readonly<Record<string, string>> = { '4.6': '4.6.8', '4.7': '4.7.3' }

/** Changes when a file is written. */
export const versionOfFile = (path: string): string => {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { JsonObject } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { INSTALLED_PATH } from '../templates/python-files.ts'
import { snapshotsIn } from '../templates/snapshot-store.ts'
import { processStarter } from '../templates/start-process.ts'
import { type OrdinaryPython, TemplateProcess } from '../templates/template-process.ts'
import { choiceFacts, modelFacts } from './model-facts.ts'
import { scriptsDirectory } from './scripts-root.ts'

/** Milliseconds in which an ordinary Python has to start. */
const START = { processor: 60_000, clock: 120_000 }

/** What a process has to know of the service. */
type ScriptHost = Pick<Service, 'registry' | 'settings'>

/**
 * A new process for scripts in Python: in WebAssembly, without network and files, or the interpreter that
 * SCRIPTS_PYTHON names. Each run has a process of its own, so that no script sees what another one left behind.
 */
export async function startScriptProcess(service: ScriptHost, signal: AbortSignal): Promise<TemplateProcess> {
  const { dataDir, scriptsMemory: memory, scriptsPython } = service.settings
  const facts = factsFor(service)
  if (scriptsPython === undefined) {
    const starter = processStarter({ program: 'scripts', facts, memory }, snapshotsIn(join(dataDir, 'cache')))
    return await starter.start(signal)
  }
  const workplace = await mkdtemp(join(tmpdir(), 'cadastre-script-'))
  const { scriptsAllowRead, scriptsAllowWrite } = service.settings
  const plain = (path: string) => path.replace(/\/\*$/, '')
  const paths = [
    [...INSTALLED_PATH, scriptsDirectory(service.settings), ...scriptsAllowRead.map(plain)],
    [workplace, ...scriptsAllowWrite.map(plain)],
  ]
  const process = new TemplateProcess({
    ...{ program: 'scripts', memory },
    facts: `${facts.slice(0, -1)},"paths":${JSON.stringify(paths)}}`,
    python: ordinaryPython(scriptsPython, memory, workplace),
  })
  void process.ended.then(() => rm(workplace, { recursive: true, force: true }))
  await process.ready(START, signal)
  return process
}

/** Milliseconds for which a process waits for the next run. */
const IDLE = 5 * 60_000

/** A process that waits for the next run, and the timer that ends it. */
interface Spare {
  readonly process: TemplateProcess
  readonly timer: NodeJS.Timeout
}
const spares = new WeakMap<Service['registry'], Promise<Spare | undefined>>()
/** Registries that have been replaced: few runs follow, so that no process waits for one. */
const retired = new WeakSet<Service['registry']>()

/**
 * As `startScriptProcess`, without the time that a start takes if a script has run lately: after each run the next
 * process is started.
 */
export async function takeScriptProcess(service: Service, signal: AbortSignal): Promise<TemplateProcess> {
  const spare = await spares.get(service.registry)
  clearTimeout(spare?.timer)
  const process = spare?.process.isUsable ? spare.process : await startScriptProcess(service, signal)
  process.hold(true)
  if (retired.has(service.registry)) spares.delete(service.registry)
  else spares.set(service.registry, startSpare(service))
  return process
}

async function startSpare(service: Service): Promise<Spare | undefined> {
  try {
    const process = await startScriptProcess(service, AbortSignal.timeout(START.clock))
    process.hold(false)
    return { process, timer: setTimeout(() => process.kill(), IDLE).unref() }
  } catch {
    // The next run starts its process itself, and reports the reason.
    return undefined
  }
}

/** For models that have been replaced: ends the process that waits, and starts no other. */
export async function retireScripts(registry: Service['registry']): Promise<void> {
  retired.add(registry)
  await closeScripts({ registry })
}

/** Ends the process that waits. All services of a registry share it. */
export async function closeScripts({ registry }: Pick<Service, 'registry'>): Promise<void> {
  const spare = await spares.get(registry)
  clearTimeout(spare?.timer)
  spare?.process.kill()
  spares.delete(registry)
}

/** Without the environment of the service, which contains its secrets. */
const ordinaryPython = (command: string, memory: number, workplace: string): OrdinaryPython => ({
  command,
  args: ['-s', '-c', `import runpy; runpy.run_module('host', run_name='__main__', alter_sys=True)`, String(memory)],
  env: {
    ...{
      PYTHONPATH: INSTALLED_PATH.join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
      LANG: 'C.UTF-8',
    },
    ...{ HOME: workplace, TMPDIR: workplace },
  },
  cwd: workplace,
})

const facts = new WeakMap<Service['registry'], string>()

/** What the package has to know of the service: its models, choices and some settings. */
function factsFor({ registry, settings }: ScriptHost): string {
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

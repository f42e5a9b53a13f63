import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '../../base/errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { DEVICES, type Files, hostUser, kernelWalls, LIBRARIES, LOADER_FILES } from '../confinement/walls.ts'
import { type OrdinaryPython, PythonProcess } from '../python/host/process.ts'
import { INSTALLED_PATH } from '../python/host/python-files.ts'
import { snapshotsIn } from '../python/host/snapshot-store.ts'
import { processStarter } from '../python/host/start-process.ts'
import { FIELD_TYPES, FUNCTIONS, WINDOW_FUNCTIONS } from '../python/questions/functions.ts'
import { choiceFacts, modelFacts } from '../python/questions/model-facts.ts'
import { scriptsDirectory } from './scripts-root.ts'

/** Milliseconds in which an ordinary Python has to start. */
const START = { processor: 60_000, clock: 120_000 }

/** What a process has to know of the service. */
type ScriptHost = Pick<Service, 'registry' | 'settings'>

/**
 * A new process for scripts in Python: in WebAssembly, without network and files, or the interpreter that
 * SCRIPTS_PYTHON names. Each run has a process of its own, so that no script sees what another one left behind.
 */
export async function startScriptProcess(service: ScriptHost, signal: AbortSignal): Promise<PythonProcess> {
  const { dataDir, scriptsMemory: memory, scriptsPython } = service.settings
  const facts = factsFor(service)
  if (scriptsPython === undefined) {
    const starter = processStarter({ program: 'scripts', facts, memory }, snapshotsIn(join(dataDir, 'cache')))
    return await starter.start(signal)
  }
  const [walls, interpreter] = await Promise.all([kernelWalls(), interpreterOf(scriptsPython)])
  const workplace = await makeWorkplace()
  const { scriptsAllowRead, scriptsAllowWrite } = service.settings
  // Node's permissions, which were once meant, write directories like that.
  const plain = (path: string) => path.replace(/\/\*$/, '')
  const files: Files = {
    read: [
      ...[...LOADER_FILES, ...SYSTEM_FILES, ...DEVICES, ...INSTALLED_PATH],
      ...[scriptsDirectory(service.settings), ...scriptsAllowRead.map(plain)],
    ],
    execute: [...LIBRARIES, ...PROGRAMS, ...interpreter.files],
    write: ['/dev/null', workplace, ...scriptsAllowWrite.map(plain)],
  }
  const process = new PythonProcess({
    ...{ program: 'scripts', memory, walls },
    facts: `${facts.slice(0, -1)},"hasOwnPackages":true}`,
    python: { ...ordinaryPython(interpreter.command, memory, workplace), files },
  })
  void process.ended.then(() => rm(workplace, { recursive: true, force: true }))
  await process.ready(START, signal)
  return process
}

/** What programs commonly read of the system: names, times, certificates; no keys, and no settings of services. */
const SYSTEM_FILES = [
  ...['hosts', 'hostname', 'host.conf', 'resolv.conf', 'nsswitch.conf', 'gai.conf', 'services', 'protocols'],
  ...['passwd', 'group', 'localtime', 'timezone', 'mime.types', 'locale.alias', 'os-release', 'alternatives'],
  ...['ssl/certs', 'pki/tls/certs', 'pki/tls/cert.pem', 'pki/ca-trust', 'ca-certificates.conf'],
].map((name) => `/etc/${name}`)

/** Programs of the system and what they read. */
const PROGRAMS = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/libexec', '/usr/share', '/usr/local/bin', '/nix/store'],
]

/** A directory of its own for a process, which it can change. */
async function makeWorkplace(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cadastre-script-'))
  const user = hostUser()
  // In a container root may neither give the directory away nor become the user.
  if (user !== null) await chown(path, user, user).catch(() => undefined)
  return path
}

/** An interpreter, and the files and directories that belong to it. */
interface Interpreter {
  readonly command: string
  readonly files: readonly string[]
}

const interpreters = new Map<string, Promise<Interpreter>>()

function interpreterOf(command: string): Promise<Interpreter> {
  const interpreter = interpreters.get(command) ?? describeInterpreter(command)
  interpreters.set(command, interpreter)
  return interpreter
}

const DESCRIPTION = `
import json, os, sys, sysconfig
prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
parts = ("bin", "lib", "lib64", "share", "include", "pyvenv.cfg")
paths = [os.path.join(prefix, part) for prefix in prefixes for part in parts]
print(json.dumps([sys.executable, [sys.executable, *paths, *sysconfig.get_paths().values(), *filter(None, sys.path)]]))
`

/** Asks the interpreter, whom the operator has chosen, for its files. Throws ConfigurationError if it does not answer. */
async function describeInterpreter(command: string): Promise<Interpreter> {
  try {
    const { stdout } = await promisify(execFile)(command, ['-s', '-c', DESCRIPTION], {
      cwd: '/',
      // Without the secrets of the service, but with what finds the command.
      env: { PATH: process.env.PATH },
    })
    const [executable, files]: readonly [string, readonly string[]] = JSON.parse(stdout)
    return { command: executable, files }
  } catch (error) {
    interpreters.delete(command)
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(`SCRIPTS_PYTHON cannot be executed: ${why}`)
  }
}

/** Milliseconds for which a process waits for the next run. */
const IDLE = 5 * 60_000

/** A process that waits for the next run, and the timer that ends it. */
interface Spare {
  readonly process: PythonProcess
  readonly timer: NodeJS.Timeout
}
const spares = new WeakMap<Service['registry'], Promise<Spare | undefined>>()
/** Registries that have been replaced: few runs follow, so that no process waits for one. */
const retired = new WeakSet<Service['registry']>()

/**
 * As `startScriptProcess`, without the time that a start takes if a script has run lately: after each run the next
 * process is started.
 */
export async function takeScriptProcess(service: Service, signal: AbortSignal): Promise<PythonProcess> {
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
const ordinaryPython = (command: string, memory: number, workplace: string): Omit<OrdinaryPython, 'files'> => ({
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
  functions: Object.keys({ ...FUNCTIONS, ...WINDOW_FUNCTIONS }),
  fieldTypes: Object.keys(FIELD_TYPES),
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

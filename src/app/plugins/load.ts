import { existsSync, readdirSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigurationError } from '../../base/errors.ts'
import { registryOf } from './application.ts'
import { checkModels, problemOf } from './check-plugin.ts'
import { isPlugin, type Plugin } from './plugin.ts'

/** Files that may contain a plugin: neither tests nor type declarations. */
const FILE = /(?<!\.test|\.d)\.m?[jt]s$/
const CONDITIONS = ['node', 'import', 'module-sync', ...(import.meta.filename.endsWith('.ts') ? ['source'] : [])]
/** Milliseconds that a plugin may take to load. */
const LOADING_TIMEOUT = 30_000
const INDEX = /^index\.m?[jt]s$/

/**
 * The plugins in files and directories, in the order in which they are named. Throws ConfigurationError with one
 * sentence that names the file if a plugin cannot be used.
 */
export async function loadPlugins(paths: readonly string[], timeout = LOADING_TIMEOUT): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = []
  const fileOf = new Map<Plugin, string>()
  for (const file of paths.flatMap((path) => filesAt(resolve(path)))) {
    const plugin = await loadPlugin(file, timeout)
    const problem = plugins.some(({ name }) => name === plugin.name)
      ? `another plugin is called "${plugin.name}" too`
      : problemOf(plugin)
    if (problem !== undefined) throw broken(file, problem)
    plugins.push(plugin)
    fileOf.set(plugin, file)
  }
  if (plugins.length > 0) checkTogether(plugins, fileOf)
  return plugins
}

/** A file itself; for a directory, its index file or, without one, all its files by name. */
function filesAt(path: string): readonly string[] {
  if (!existsSync(path)) throw new ConfigurationError(`PLUGINS: there is no file or directory ${path}.`)
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path)
    .filter((name) => FILE.test(name))
    .sort()
  const index = names.find((name) => INDEX.test(name))
  if (names.length === 0) throw new ConfigurationError(`PLUGINS: there are no files of plugins in ${path}.`)
  return (index === undefined ? names : [index]).map((name) => join(path, name))
}

const loadPlugin = (file: string, timeout: number): Promise<Plugin> =>
  loadDefault(file, isPlugin, 'a plugin: "export default plugin({ name: …, models: [ … ] })" is expected', timeout)

/**
 * The default export of a file of a plugin or pack. Throws ConfigurationError if it cannot be loaded or is not what is
 * `expected`.
 */
export async function loadDefault<T>(
  file: string,
  isExpected: (value: unknown) => value is T,
  expected: string,
  timeout = LOADING_TIMEOUT,
): Promise<T> {
  resolveProgram()
  try {
    const loaded = await imported(file, timeout)
    if (!isExpected(loaded.default)) throw new ConfigurationError(`PLUGINS: ${file} is not ${expected}.`)
    return loaded.default
  } catch (error) {
    throw error instanceof ConfigurationError ? error : broken(file, `it fails with "${firstLine(error)}"`)
  }
}

let isResolved = false

/** From now on, plugins import the running program, wherever their files are: the source of a checkout, or the package. */
function resolveProgram(): void {
  if (isResolved) return
  isResolved = true
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'cadastre' || specifier.startsWith('cadastre/')
        ? next(specifier, { ...context, parentURL: import.meta.url, conditions: CONDITIONS })
        : next(specifier, context),
  })
}

/** The module; throws if it would end the program, or does not finish loading within the time. */
async function imported(file: string, timeout: number): Promise<{ readonly default?: unknown }> {
  const { exit } = process
  const { promise: gaveUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it has not been loaded after ${timeout / 1_000} seconds`)), timeout)
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? ''}) is called`)
  }
  try {
    return await Promise.race([import(pathToFileURL(file).href), gaveUp])
  } finally {
    process.exit = exit
    clearTimeout(timer)
  }
}

/** Declarations refer to models of the program and of other plugins, so they are checked together. */
function checkTogether(plugins: readonly Plugin[], fileOf: ReadonlyMap<Plugin, string>): void {
  try {
    checkModels(registryOf({ settings: {}, plugins }))
  } catch (error) {
    const text = firstLine(error)
    const guilty = plugins.find(({ models }) => models.some(({ name }) => text.startsWith(`${name}:`)))
    const file = guilty && fileOf.get(guilty)
    if (file === undefined) throw new ConfigurationError(`PLUGINS cannot be used: ${text}.`)
    throw broken(file, text)
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/\.$/, '') ?? ''

const broken = (file: string, problem: string): ConfigurationError =>
  new ConfigurationError(`The plugin ${file} cannot be used: ${problem}.`)

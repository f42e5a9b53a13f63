import { join } from 'node:path'
import type { RowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { NotReady } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import { LimitExceeded } from '../python/host/limits.ts'
import { ProcessPool } from '../python/host/pool.ts'
import { snapshotsIn } from '../python/host/snapshot-store.ts'
import { processStarter } from '../python/host/start-process.ts'
import { type Base, Inventory } from '../python/questions/inventory-queries.ts'
import { describeModels } from '../python/questions/model-descriptions.ts'

/** A template and its variables. */
export interface RenderJob extends RenderOptions {
  readonly template: string
}

/** Variables and permissions of a rendering. */
interface RenderOptions {
  /** Row-level security of the template's queries. */
  readonly security: RowSecurity
  /** Parameters of Jinja's environment, such as `trim_blocks`. */
  readonly parameters?: JsonObject | undefined
  /** Plain values by name. */
  readonly context?: Readonly<Record<string, Json>>
  /** Objects by name: model and id. */
  readonly objects?: Readonly<Record<string, readonly [string, number]>>
  /** Query sets by name: a model and a selection of its rows. */
  readonly querysets?: Readonly<Record<string, readonly [string, Base]>>
  /** Id of the data source whose files the template may include. */
  readonly source?: number | null
  /** Line breaks in the values of expressions become spaces, for texts in which lines have a meaning. */
  readonly singleLine?: boolean
  /** Describe errors in more detail. */
  readonly debug?: boolean
  /** Aborted when the client disconnects: the job is then dropped. */
  readonly signal?: AbortSignal | undefined
}

/** The text, or an error message for the template's author. */
export type Rendering = { readonly text: string } | { readonly error: string }

/** Megabytes that a template may use. */
const MEMORY = 512
/** Maximum length of a rendered text. */
const LONGEST_TEXT = 32 * 2 ** 20

/**
 * Renders a template in a separate process. Throws `unavailable` if no process becomes free in time, and the reason of
 * the job's signal.
 */
export async function render(service: Service, { template, ...options }: RenderJob): Promise<Rendering> {
  const [rendering] = await renderAll(service, [template], options)
  return rendering ?? { text: '' }
}

/** As `render`, for several templates with the same variables, in one job. The limits apply to all of them together. */
export async function renderAll(
  service: Service,
  templates: readonly string[],
  { security, parameters, context, objects, querysets = {}, ...options }: RenderOptions,
): Promise<readonly Rendering[]> {
  const bases = new Map(Object.entries(querysets).map(([name, [, base]]) => [name, base]))
  const inventory = new Inventory(service, security, bases)
  try {
    const { results } = await poolOf(service).run(
      {
        templates: [...templates],
        parameters: parameters ?? {},
        context: context ?? {},
        objects: (objects ?? {}) as JsonObject,
        querysets: Object.fromEntries(Object.entries(querysets).map(([name, [model]]) => [name, [model, name]])),
        source: options.source ?? null,
        debug: options.debug ?? false,
        singleLine: options.singleLine ?? false,
        environment: readableVariables(service.settings.jinjaEnvironmentParams),
        longest: LONGEST_TEXT,
      },
      (question) => inventory.answer(question),
      options.signal,
    )
    return objectsIn(results).map(({ text, error }) => (typeof text === 'string' ? { text } : { error: String(error) }))
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    return templates.map(() => ({ error: `${error.name}: ${error.message}` }))
  }
}

/**
 * Reasons why Jinja cannot compile the texts, by text. If no interpreter runs yet, throws `NotReady`: a write must not keep its
 * transaction open while one starts.
 */
export async function syntaxErrors(
  service: Pick<Service, 'registry' | 'settings'>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const pool = poolOf(service)
  const compile = async (templates: readonly string[]) =>
    await pool.run({ compile: [...templates] }, async () => undefined)
  if (!pool.isRunning) throw new NotReady(compile([]))
  const { errors } = await compile(texts)
  return new Map(Object.entries(isJsonObject(errors) ? errors : {}).map(([text, error]) => [text, String(error)]))
}

/**
 * Variables of this process's environment whose names match one of the patterns. The interpreter gets no other
 * variables.
 */
function readableVariables(patterns: readonly string[]): JsonObject {
  if (patterns.length === 0) return {}
  const expressions = patterns.map((pattern) => {
    const literal = pattern.replaceAll(/[^\w*?]/g, '\\$&')
    return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`)
  })
  const isReadable = (name: string) => expressions.some((expression) => expression.test(name))
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && isReadable(name) ? [[name, value]] : [],
    ),
  )
}

const pools = new WeakMap<Registry, ProcessPool>()

/** Pool of the processes that render the templates of this service. */
export function poolOf({ registry, settings }: Pick<Service, 'registry' | 'settings'>): ProcessPool {
  const pool = pools.get(registry) ?? createPool(registry, settings)
  pools.set(registry, pool)
  return pool
}

const createPool = (registry: Registry, { dataDir, basePath }: Service['settings']): ProcessPool =>
  new ProcessPool(
    processStarter(
      { program: 'templates', facts: JSON.stringify(describeModels(registry, basePath)), memory: MEMORY },
      snapshotsIn(join(dataDir, 'cache')),
    ),
  )

/** For models that have been replaced: processes end when nothing that began with these models renders any more. */
export const retireTemplates = (registry: Registry): void => pools.get(registry)?.retire()

/** Ends the processes that render templates. All services of a registry share them, so only the program that started them may call it. */
export const closeTemplates = ({ registry }: Service): void => pools.get(registry)?.close()

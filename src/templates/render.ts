import { ApiError } from '../errors.ts'
import type { Sight } from '../query/within-sight.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import type { Registry } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { type Base, Inventory } from './inventory-queries.ts'
import { describeModels } from './model-descriptions.ts'
import { TemplateProcess, TemplateTimeout } from './template-process.ts'

/** A template and what it may name. */
export interface RenderJob {
  readonly template: string
  /** What of the inventory the template may see. */
  readonly sight: Sight
  /** Parameters of Jinja's environment, such as `trim_blocks`. */
  readonly parameters?: JsonObject | undefined
  /** Plain values by name. */
  readonly context?: Readonly<Record<string, Json>>
  /** Objects by name: model and id. */
  readonly objects?: Readonly<Record<string, readonly [string, number]>>
  /** Query sets by name: model, and which of its rows. */
  readonly querysets?: Readonly<Record<string, readonly [string, Base]>>
  /** Id of the data source whose files the template may include. */
  readonly source?: number | null
  /** Tell of errors in more detail. */
  readonly debug?: boolean
}

/** The text, or what is wrong with the template, in words for its author. */
export type Rendering = { readonly text: string } | { readonly error: string }

/** Milliseconds that one rendering may take. */
const LONGEST = 30_000
/** Characters that may come out of it. */
const LONGEST_TEXT = 32 * 2 ** 20
/** Renderings that may wait; more are refused. */
const MOST_WAITING = 100
/** Processes at a time; each holds some 120 MB. */
const MOST_PROCESSES = 2
/** Milliseconds after which a process without work gives its memory back. */
const IDLE = 5 * 60_000

/** Renders a template in a process of its own. Throws `unavailable` when too many others wait. */
export const render = (service: Service, job: RenderJob): Promise<Rendering> =>
  poolOf(service.registry).render(service, job)

const pools = new WeakMap<Registry, Pool>()

function poolOf(registry: Registry): Pool {
  const pool = pools.get(registry) ?? new Pool(registry)
  pools.set(registry, pool)
  return pool
}

class Pool {
  /** Without work at the moment, with the timers that will end them. */
  readonly #idle = new Map<TemplateProcess, NodeJS.Timeout>()
  readonly #waiting: (() => void)[] = []
  readonly #models: string
  #busy = 0

  constructor(registry: Registry) {
    this.#models = JSON.stringify(describeModels(registry))
  }

  async render(service: Service, job: RenderJob): Promise<Rendering> {
    await this.#turn()
    const worker = this.#take()
    const { template, sight, parameters, context, objects, querysets = {}, source, debug } = job
    const bases = new Map(Object.entries(querysets).map(([name, [, base]]) => [name, base]))
    const inventory = new Inventory(service, sight, bases)
    worker.hold(true)
    try {
      const result = await worker.run(
        {
          template,
          parameters: parameters ?? {},
          context: context ?? {},
          objects: (objects ?? {}) as JsonObject,
          querysets: Object.fromEntries(
            Object.entries(querysets).map(([name, [model]]) => [name, [model, name]]),
          ),
          source: source ?? null,
          debug: debug ?? false,
          longest: LONGEST_TEXT,
        },
        (question) => inventory.answer(question),
        LONGEST,
      )
      return typeof result.text === 'string'
        ? { text: result.text }
        : { error: String(result.error) }
    } catch (error) {
      worker.kill()
      if (error instanceof TemplateTimeout) return { error: `${error.name}: ${error.message}` }
      throw error
    } finally {
      worker.hold(false)
      this.#give(worker)
    }
  }

  async #turn(): Promise<void> {
    if (this.#busy >= MOST_PROCESSES) {
      if (this.#waiting.length >= MOST_WAITING) {
        const detail = 'Too many templates are being rendered. Please try again later.'
        throw new ApiError({ kind: 'unavailable', detail })
      }
      // Whoever is done hands its place on.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#busy += 1
    }
  }

  #take(): TemplateProcess {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(worker)
      if (worker.isUsable) return worker
    }
    return new TemplateProcess(this.#models)
  }

  #give(worker: TemplateProcess): void {
    if (worker.isUsable) {
      const timer = setTimeout(() => {
        this.#idle.delete(worker)
        worker.kill()
      }, IDLE)
      timer.unref()
      this.#idle.set(worker, timer)
    }
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy -= 1
  }
}

import type { ApiRequest } from '../../api/api-request.ts'
import type { GrpcCall } from '../../api/grpc-call.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { JobContext } from '../../automation/jobs/job-kind.ts'
import { declarePack, type ModelAdditions } from '../../models/packs/declare-pack.ts'
import type { Fields } from '../../schema/field.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { addressOf, appOf, type PackDocument } from '../../schema/packs/pack-document.ts'
import type { Model } from '../../schema/registry.ts'
import type { Behaviour, UntypedEffectFunction } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import { hasSlugs } from './custom-models.ts'
import { type Plugin, plugin } from './plugin.ts'

/** What a pack does beyond the data of its `pack.yaml`: the default export of its `pack.ts`. */
export interface PackCode {
  /** Rules and effects of its models. */
  readonly behaviours: readonly Behaviour[]
  /** Endpoints beyond create, read, update and delete, which the OpenAPI document describes. */
  readonly actions: Plugin['actions']
  /** Endpoints for programs with an interface of their own, by path: `/api/plugins/acme/targets/`. */
  readonly endpoints: NonNullable<Plugin['endpoints']>
  /** Further fields of its models, by the names of the models. */
  readonly fields: Readonly<Record<string, Fields>>
  /** Further parts of their declarations that only code can express, by the names of the models. */
  readonly models: Readonly<Record<string, ModelAdditions>>
  /** Further paths below /api/, below that of the pack, of objects of the program, with the names of their models. */
  readonly serves: NonNullable<Plugin['serves']>
  /** Effects of writes of all models of the program, with the name of the model; those of packs are left out. */
  readonly afterEveryWrite: readonly ((model: string, ...effect: Parameters<UntypedEffectFunction>) => Promise<void>)[]
  /** gRPC calls, by service and method: `acme.v1.Clock/Now`. */
  readonly calls: Readonly<Record<string, GrpcCall>>
  /**
   * Takes the requests of tokens that observe: all that would create, change or delete objects of a model, and those
   * that read one object. `handle` is what other tokens get. One pack can do that.
   */
  readonly observe?: (
    request: ApiRequest,
    model: Model,
    handle: (request: ApiRequest) => Promise<HttpResponse>,
  ) => Promise<HttpResponse>
  /** Changes to tables that cannot be derived from its models. */
  readonly steps: Plugin['steps']
  readonly jobs: readonly PackJob[]
  /** What `cadastre packs run <pack> <name>` does, by name. */
  readonly commands: Readonly<Record<string, PackCommand>>
}

/** Work that a pack does in the background, with the rights of the service. */
export interface PackJob {
  /** Within the pack: lower-case letters and hyphens. */
  readonly name: string
  /** Name for people. */
  readonly label: string
  /** Minutes between two runs while the pack is on. */
  readonly everyMinutes: number
  /** Must end when `signal` is aborted, which is after five minutes at the latest. */
  run(context: JobContext): Promise<void>
}

/** A command of a pack, which has the rights of whoever can read the configuration. */
export interface PackCommand {
  /** What it does, for the list of commands. */
  readonly about: string
  /** `words`: the arguments; `print` writes a line of output. Throws ConfigurationError for wrong use. */
  run(context: {
    readonly service: Service
    readonly words: readonly string[]
    readonly print: (line: string) => void
  }): Promise<void>
}

/** Marks the result of `packCode`. */
const MARK = Symbol.for('cadastre.pack')

const EMPTY: PackCode = {
  ...{ behaviours: [], actions: [], endpoints: new Map(), fields: {}, models: {}, serves: {}, steps: [] },
  ...{ jobs: [], commands: {}, afterEveryWrite: [], calls: {} },
}

/** The code of a pack, for the default export of its file. */
export const packCode = (code: Partial<PackCode>): PackCode => Object.freeze({ ...EMPTY, ...code, [MARK]: true })

/** Whether the value was made by `packCode`. */
export const isPackCode = (value: unknown): value is PackCode =>
  typeof value === 'object' && value !== null && MARK in value

/** The lists and pages of a pack in the menu. */
export function packMenu(document: PackDocument): readonly MenuSection[] {
  const { label = document.name, menu = {}, models = [] } = document
  const app = appOf(document)
  const listed = models.filter(({ path }) => path !== undefined).map(({ name }) => name)
  const { section = label, icon, groups = listed.length > 0 ? { [label]: listed } : {}, pages = [] } = menu
  const pagesByGroup = Map.groupBy(pages, ({ group = label }) => group)
  const headings = new Set([...Object.keys(groups), ...pagesByGroup.keys()])
  if (headings.size === 0) return []
  return [
    {
      label: section,
      ...(icon && { icon }),
      groups: [...headings].map((heading) => ({
        label: heading,
        models: (groups[heading] ?? []).filter((name) => listed.includes(name)).map((name) => `${app}.${name}`),
        pages: (pagesByGroup.get(heading) ?? []).map(({ group: _, ...page }) => page),
      })),
    },
  ]
}

/** The pack in the form in which the program uses it. */
export function packPlugin(document: PackDocument, code: PackCode | undefined): Plugin {
  const { name, label = name, version = '', description = '', author = '' } = document
  const declared = declarePack(document, hasSlugs, code)
  const app = appOf(document)
  return plugin({
    ...{ name: app, path: addressOf(document), packageName: app, label, version, description, author, ...declared },
    pack: name,
    // Clients can ask for nothing if its models have no paths.
    isUnlisted: declared.models.every(({ path }) => path === undefined),
    behaviours: [...declared.behaviours, ...(code?.behaviours ?? [])],
    ...(code && {
      ...{ actions: code.actions, endpoints: code.endpoints, calls: code.calls, serves: code.serves },
      ...{ steps: code.steps, afterEveryWrite: code.afterEveryWrite, observe: code.observe },
    }),
  })
}

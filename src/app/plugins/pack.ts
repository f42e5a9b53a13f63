import type { Endpoint } from '../../api/endpoint.ts'
import type { GrpcCall } from '../../api/grpc-call.ts'
import { declarePack } from '../../models/packs/declare-pack.ts'
import type { Fields } from '../../schema/field.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { appOf, type PackDocument } from '../../schema/packs/pack-document.ts'
import type { Behaviour, UntypedEffectFunction } from '../../schema/rule.ts'
import { hasSlugs } from './custom-models.ts'
import { type Plugin, plugin } from './plugin.ts'

/** What a pack does beyond the data of its `pack.yaml`: the default export of its `pack.ts`. */
export interface PackCode {
  /** Rules and effects of its models. */
  readonly behaviours: readonly Behaviour[]
  /** Endpoints beyond create, read, update and delete, below the address of the pack. */
  readonly actions: Plugin['actions']
  /** Further fields of its models, by the names of the models. */
  readonly fields: Readonly<Record<string, Fields>>
  /** Effects of writes of all models, with the name of the model. */
  readonly afterEveryWrite: readonly ((model: string, ...effect: Parameters<UntypedEffectFunction>) => Promise<void>)[]
  /** Endpoints outside of /api/, by their paths, without slashes at the ends. */
  readonly endpoints: Readonly<Record<string, Endpoint>>
  /** gRPC calls, by service and method: `acme.v1.Clock/Now`. */
  readonly calls: Readonly<Record<string, GrpcCall>>
  /** Changes to tables that cannot be derived from its models. */
  readonly steps: Plugin['steps']
}

/** Marks the result of `packCode`. */
const MARK = Symbol.for('cadastre.pack')

/** The code of a pack, for the default export of its file. */
export const packCode = (code: Partial<PackCode>): PackCode =>
  Object.freeze({
    ...{ behaviours: [], actions: [], fields: {}, steps: [], afterEveryWrite: [], endpoints: {}, calls: {} },
    ...code,
    [MARK]: true,
  })

/** Whether the value was made by `packCode`. */
export const isPackCode = (value: unknown): value is PackCode =>
  typeof value === 'object' && value !== null && MARK in value

/** The lists of a pack in the menu. */
export function packMenu(document: PackDocument): readonly MenuSection[] {
  const { label = document.name, menu = {}, models = [] } = document
  const app = appOf(document)
  const listed = models.filter(({ path }) => path !== undefined).map(({ name }) => name)
  const { section = label, icon, groups = { [label]: listed } } = menu
  if (listed.length === 0) return []
  return [
    {
      label: section,
      ...(icon && { icon }),
      groups: Object.entries(groups).map(([heading, names]) => ({
        label: heading,
        models: names.filter((name) => listed.includes(name)).map((name) => `${app}.${name}`),
      })),
    },
  ]
}

/** The pack in the form in which the program uses it. */
export function packPlugin(document: PackDocument, code: PackCode | undefined): Plugin {
  const { name, label = name, version = '', description = '', author = '' } = document
  const declared = declarePack(document, hasSlugs, code?.fields)
  const app = appOf(document)
  return plugin({
    ...{ name: app, path: name, packageName: app, label, version, description, author, ...declared },
    isPack: true,
    behaviours: [...declared.behaviours, ...(code?.behaviours ?? [])],
    ...(code && {
      ...{ actions: code.actions, steps: code.steps, afterEveryWrite: code.afterEveryWrite },
      ...{ endpoints: code.endpoints, calls: code.calls },
    }),
  })
}

import { declarePack, type ModelAdditions } from '../../models/packs/declare-pack.ts'
import type { Fields } from '../../schema/field.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { appOf, type PackDocument } from '../../schema/packs/pack-document.ts'
import type { Behaviour } from '../../schema/rule.ts'
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
  /** Further parts of their declarations that only code can express, by the names of the models. */
  readonly models: Readonly<Record<string, ModelAdditions>>
  /** Further paths below /api/, below that of the pack, of objects of the program, with the names of their models. */
  readonly serves: NonNullable<Plugin['serves']>
  /** Changes to tables that cannot be derived from its models. */
  readonly steps: Plugin['steps']
}

/** Marks the result of `packCode`. */
const MARK = Symbol.for('cadastre.pack')

/** The code of a pack, for the default export of its file. */
export const packCode = (code: Partial<PackCode>): PackCode =>
  Object.freeze({ behaviours: [], actions: [], fields: {}, models: {}, serves: {}, steps: [], ...code, [MARK]: true })

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
  const declared = declarePack(document, hasSlugs, code)
  const app = appOf(document)
  return plugin({
    ...{ name: app, path: name, packageName: app, label, version, description, author, ...declared },
    isPack: true,
    behaviours: [...declared.behaviours, ...(code?.behaviours ?? [])],
    ...(code && { actions: code.actions, steps: code.steps, serves: code.serves }),
  })
}

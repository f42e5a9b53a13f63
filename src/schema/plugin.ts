import type { Definition } from './model.ts'
import type { Behaviour } from './rule.ts'
import type { Children, ChildrenTab, DeclaredView, FieldGroup } from './view.ts'

/** The part of a plugin that the registry holds: its name, its models and their behaviour. */
export interface PluginModels {
  /** App of its models and name of its path, `/api/plugins/<name>/`. */
  readonly name: string
  /** Name in URLs if it differs. */
  readonly path?: string
  /** Name under which clients look for it, if it differs. */
  readonly packageName?: string
  /** Part of the program that is not listed among the installed plugins. */
  readonly isUnlisted?: boolean
  /** Name for people. */
  readonly label: string
  readonly version: string
  readonly description: string
  readonly author: string
  readonly authorEmail: string
  readonly models: readonly Definition[]
  /** Name of the pack, which can be switched off while the service runs; absent for plugins that are not packs. */
  readonly pack?: string
  readonly behaviours: readonly Behaviour[]
  /** Lists of its objects on the pages of objects of other models, by the names of these models. */
  readonly overviews?: ReadonlyMap<string, readonly Children[]>
  /** The same on pages of their own, tabs of the objects' pages. */
  readonly tabs?: ReadonlyMap<string, readonly ChildrenTab[]>
  /** Further fields of objects of other models, in groups, by the names of these models. */
  readonly groups?: ReadonlyMap<string, readonly FieldGroup[]>
  /** Further paths below /api/, below that of the plugin, of objects of the program, with the names of their models. */
  readonly serves?: Readonly<Record<string, string>>
  /** How its objects are shown; models without one get a view derived from their fields. */
  readonly views?: readonly DeclaredView[]
}

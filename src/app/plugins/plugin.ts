import type { Action } from '../../api/actions/action.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { MigrationStep } from '../../db/migrate/steps.ts'
import type { DeclaredComputation } from '../../models/extras/computed-field.ts'
import type { PluginModels } from '../../schema/plugin.ts'
import type { PackCode } from './pack.ts'

/** A plugin: its models, their behaviour and extra endpoints. */
export interface Plugin extends PluginModels {
  /** Fields of its models that are computed from expressions. */
  readonly computed?: readonly DeclaredComputation[]
  readonly actions: readonly Action[]
  /** Endpoints that the OpenAPI document does not describe, by path. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>
  readonly steps: readonly MigrationStep[]
  /** As in the code of a pack. */
  readonly afterEveryWrite: PackCode['afterEveryWrite']
  readonly calls: PackCode['calls']
  readonly observe?: PackCode['observe'] | undefined
}

/** A plugin as its author writes it; omitted parts are empty. */
export type PluginDeclaration = Partial<Plugin> & Pick<Plugin, 'name' | 'models'>

/** Marks the result of `plugin`, even if a program and a plugin have loaded this file from different places. */
const MARK = Symbol.for('cadastre.plugin')

/** A plugin, for the default export of its file. `label` defaults to its name. */
export const plugin = (declaration: PluginDeclaration): Plugin =>
  Object.freeze({
    label: declaration.name,
    version: '',
    description: '',
    author: '',
    authorEmail: '',
    behaviours: [],
    actions: [],
    steps: [],
    afterEveryWrite: [],
    calls: {},
    ...declaration,
    [MARK]: true,
  })

/** Whether the value was made by `plugin`. */
export const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' && value !== null && MARK in value

import type { Action } from '../api/actions/action.ts'
import type { MigrationStep } from '../db/migrate/steps.ts'
import type { PluginModels } from '../schema/plugin.ts'

/** Models from outside, with what they do and what answers beside them. */
export interface Plugin extends PluginModels {
  readonly actions: readonly Action[]
  readonly steps: readonly MigrationStep[]
}

/** A plugin as it is written down; what is left out is empty. */
export type PluginDeclaration = Partial<Plugin> & Pick<Plugin, 'name' | 'models'>

/** Marks what `plugin` returns, even if a program and a plugin have loaded this file from different places. */
const MARK = Symbol.for('cadastre.plugin')

/** A plugin, for the default export of its file. `label` is its name if it is not given. */
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
    ...declaration,
    [MARK]: true,
  })

/** Whether `plugin` has made the value. */
export const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' && value !== null && MARK in value

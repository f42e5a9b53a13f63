import type { Column } from './column.ts'
import { genericKeys } from './generic-keys.ts'
import type { JoinTable, Model, Registry } from './registry.ts'
import { SYSTEM } from './system-models.ts'

/** One step of a dotted path: its target and the join. */
export type Step =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'foreignKey'; readonly to: Model; readonly column: Column }
  | { readonly kind: 'manyToMany'; readonly to: Model; readonly table: JoinTable }
  | { readonly kind: 'reverseForeignKey'; readonly to: Model; readonly column: Column }
  | {
      readonly kind: 'reverseGeneric'
      readonly to: Model
      readonly typeColumn: Column
      readonly idColumn: Column
      /** Value of the type column for the model at which the step starts. */
      readonly typeName: string
    }
  | {
      /** `assigned_object:dcim.interface`: a generic relation restricted to one model. */
      readonly kind: 'genericTo'
      readonly to: Model
      readonly typeColumn: Column
      readonly idColumn: Column
    }
  | { readonly kind: 'tags'; readonly to: Model; readonly typeName: string }

/** The steps of a model's own declaration. The registry adds inverse relations. */
export function stepsOf(registry: Registry, model: Model): Map<string, Step> {
  const steps = new Map<string, Step>()
  for (const [key, column] of model.columns) steps.set(key, { kind: 'column', column })
  for (const [name, field] of model.fields) {
    if (field.kind === 'foreignKey') {
      const column = model.columns.get(name)
      if (column) steps.set(name, { kind: 'foreignKey', to: registry.model(field.to), column })
    } else if (field.kind === 'manyToMany') {
      steps.set(name, {
        kind: 'manyToMany',
        to: registry.model(field.to),
        table: registry.joinTable(model, name, field),
      })
    } else if (field.kind === 'tags') {
      steps.set(name, { kind: 'tags', to: registry.model(SYSTEM.tag), typeName: model.name })
    } else if (field.kind === 'genericForeignKey') {
      const keys = genericKeys(name, field)
      const typeColumn = model.columns.get(keys.type)
      const idColumn = model.columns.get(keys.id)
      if (!typeColumn || !idColumn) continue
      for (const to of registry.targets(field)) {
        steps.set(`${name}:${to.name}`, { kind: 'genericTo', to, typeColumn, idColumn })
      }
    }
  }
  return steps
}

/** The names in a dotted path; a name after a colon may contain a dot. */
export function splitPath(path: string): readonly string[] {
  return path.match(/[^.:]+(?::[a-z]+\.[a-z0-9]+)?/g) ?? []
}

/** The steps of a dotted path. Throws, naming model and path, for an unknown step. */
export function resolvePath(model: Model, path: string): readonly Step[] {
  const steps: Step[] = []
  let here: Model | undefined = model
  for (const name of splitPath(path)) {
    const step: Step | undefined = here?.steps.get(name)
    if (!step) throw new Error(`${model.name}: path ${path} has no step ${name}`)
    steps.push(step)
    here = step.kind === 'column' ? undefined : step.to
  }
  return steps
}

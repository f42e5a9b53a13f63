import { foreignKeysOf } from './constraint-names.ts'
import { oncePer } from './once-per.ts'
import type { Model, Registry } from './registry.ts'

/** A foreign key constraint between two models. */
interface Reference {
  readonly constraint: string
  readonly from: Model
  readonly to: Model
}

interface DeletionOrder {
  /** The models, each before the models to which its rows refer by a constraint of `restricting`. */
  readonly models: readonly Model[]
  /** Names of the constraints whose references never contradict this order. */
  readonly restricting: ReadonlySet<string>
}

/**
 * The order in which a deletion deletes the rows of several models, so that none is deleted while another one refers to
 * it. References that would form a cycle are left out, optional ones first.
 */
export const deletionOrder = oncePer((registry: Registry): DeletionOrder => {
  const targets = new Map<Model, Set<Model>>()
  const restricting = new Set<string>()
  for (const { constraint, from, to } of mandatoryFirst(registry)) {
    const isSame = from === to
    if (!isSame && leadsTo(targets, to, from)) continue
    restricting.add(constraint)
    if (!isSame) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  }
  return { models: inOrder([...registry.models.values()], targets), restricting }
})

/** All references; those that a deletion clears in the remaining rows come last. */
function mandatoryFirst(registry: Registry): readonly Reference[] {
  const references = [...registry.models.values()].flatMap((from) =>
    [...foreignKeysOf(from)].map(([constraint, { field }]) => ({
      ...{ constraint, from, to: registry.model(field.to) },
      isCleared: field.onDelete === 'setNull',
    })),
  )
  return [...references.filter(({ isCleared }) => !isCleared), ...references.filter(({ isCleared }) => isCleared)]
}

type Targets = ReadonlyMap<Model, ReadonlySet<Model>>

/** Whether references lead from one model to another. */
function leadsTo(targets: Targets, start: Model, end: Model): boolean {
  const reached = new Set([start])
  for (const model of reached) for (const next of targets.get(model) ?? []) reached.add(next)
  return reached.has(end)
}

/** The models, each before its targets. */
function inOrder(models: readonly Model[], targets: Targets): readonly Model[] {
  const visited = new Set<Model>()
  const order: Model[] = []
  const visit = (model: Model): void => {
    if (visited.has(model)) return
    visited.add(model)
    for (const next of targets.get(model) ?? []) visit(next)
    order.push(model)
  }
  for (const model of models) visit(model)
  return order.reverse()
}

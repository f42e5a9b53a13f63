import type { Model } from '../../schema/registry.ts'
import type { Relation } from '../query/join-step.ts'
import { type Containment, type Ends, type Link, stepsOfLink } from './links.ts'

/** A step by which an expression reaches other objects. */
export type ReachedBy = Relation | Ends | Containment

/**
 * A model whose objects an expression reads, with the steps that lead on from them: a tree that begins at the objects of
 * the expression. A change is followed backwards through it, to the objects whose value it may affect.
 */
export class Reached {
  readonly model: Model
  readonly #next = new Map<string, { readonly step: ReachedBy; readonly reached: Reached }>()

  constructor(model: Model) {
    this.model = model
  }

  get next(): readonly { readonly step: ReachedBy; readonly reached: Reached }[] {
    return [...this.#next.values()]
  }

  /** The objects to which the step leads from here. */
  follow(step: ReachedBy | Link): Reached {
    if (step.kind === 'link') {
      let here: Reached = this
      for (const [, part] of stepsOfLink(step)) here = here.follow(part)
      return here
    }
    const key = keyOf(step)
    const followed = this.#next.get(key)
    if (followed) return followed.reached
    const reached = new Reached(step.to)
    this.#next.set(key, { step, reached })
    return reached
  }

  /** The objects that a counter counts. */
  followCounter(name: string): void {
    const field = this.model.fields.get(name)
    if (field?.kind !== 'counter') return
    const step = [...this.model.steps.values()].find(
      (candidate) =>
        candidate.kind === 'reverseForeignKey' &&
        candidate.to.name === field.of &&
        candidate.column === candidate.to.columns.get(field.via),
    )
    if (step?.kind === 'reverseForeignKey') this.follow(step)
  }
}

/** Equal for steps by the same columns. */
function keyOf(step: ReachedBy): string {
  const { kind, to } = step
  switch (kind) {
    case 'foreignKey':
    case 'reverseForeignKey':
      return `${kind} ${to.name} ${step.column.name}`
    case 'manyToMany':
      return `${kind} ${to.name} ${step.table.table} ${step.table.ownColumn}`
    case 'reverseGeneric':
    case 'genericTo':
      return `${kind} ${to.name} ${step.idColumn.name}`
    case 'containment':
      return `${kind} ${to.name} ${step.reach}`
    case 'tags':
    case 'ends':
      return `${kind} ${to.name}`
  }
}

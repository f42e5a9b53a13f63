import { hash } from 'node:crypto'
import type { Model } from '../../schema/registry.ts'

/** What an import does with the objects of a collection. */
export interface CollectionPlan {
  readonly model: Model
  readonly endpoint: string
  /** Objects of the source. */
  readonly rows: number
  readonly created: number
  /** Created objects that have another id here than at the source. */
  readonly renumbered: number
  /** Objects here whose values change. */
  readonly changed: number
  /** Objects here that have all values of the source, or of which nothing has changed at the source. */
  readonly equal: number
  /** Objects here that keep a value that differs from the source's. */
  readonly kept: number
  /** Objects that were here before the first import of this source, and were found by what identifies them. */
  readonly matched: number
  /** The first of the matched, changed and kept objects, as sentences. */
  readonly examples: readonly string[]
}

/** An object of the source whose counterpart here a person has to choose. */
export interface Ambiguity {
  readonly model: string
  readonly sourceId: number
  readonly display: string
  readonly reason: string
  readonly candidates: readonly { readonly id: number; readonly display: string }[]
}

/** What an import does, before anything is written. */
export interface ImportPlan {
  /** Name under which the objects of the source are known here. */
  readonly source: string
  /** Whether there was nothing here: all objects keep their ids. */
  readonly isNew: boolean
  readonly collections: readonly CollectionPlan[]
  readonly ambiguous: readonly Ambiguity[]
  /** Rows whose conditions contain ids that could not be adapted. */
  readonly notes: readonly string[]
  /** Lines about the objects for which rules refuse the import. */
  readonly refused: readonly string[]
}

/** An import that would do something else than a person has agreed to, or for which a decision is missing. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** Sums over all collections. */
export function totalsOf({ collections }: ImportPlan) {
  const sum = (key: 'rows' | 'created' | 'renumbered' | 'changed' | 'equal' | 'kept' | 'matched'): number =>
    collections.reduce((total, collection) => total + collection[key], 0)
  return {
    rows: sum('rows'),
    created: sum('created'),
    renumbered: sum('renumbered'),
    changed: sum('changed'),
    equal: sum('equal'),
    kept: sum('kept'),
    matched: sum('matched'),
  }
}

/**
 * Whether a person should see the plan first: the import meets objects that are here, or were here. In a service
 * without an inventory, only accounts, jobs and change records may get other ids without a question.
 */
export const needsConsent = (plan: ImportPlan): boolean => {
  if (plan.isNew) {
    return plan.collections.some(({ model, renumbered }) => renumbered > 0 && !OF_SERVICE.has(model.app))
  }
  const { created, changed, matched } = totalsOf(plan)
  return created + changed + matched > 0
}

/** Apps whose objects belong to the service itself. */
const OF_SERVICE: ReadonlySet<string> = new Set(['core', 'users'])

/** The plan as lines: one for each collection that is not merely equal, examples below it, and the sums. */
export function planLines(plan: ImportPlan): readonly string[] {
  if (plan.isNew && plan.collections.length === 0) {
    return ['The database is empty: all objects are created, with their ids.', ...plan.refused]
  }
  const lines = plan.collections.flatMap((collection) => {
    const { endpoint, created, renumbered, changed, equal, kept, matched, examples } = collection
    if (created + changed + kept + matched === 0) return []
    const counts = [
      created > 0 && `${created} created${renumbered > 0 ? ` (${renumbered} with another id)` : ''}`,
      changed > 0 && `${changed} changed`,
      kept > 0 && `${kept} kept as they are here`,
      equal > 0 && `${equal} equal`,
      matched > 0 && `${matched} were here before`,
    ]
    return [
      `${endpoint}: ${counts.filter((text) => text !== false).join(', ')}`,
      ...examples.map((text) => `  ${text}`),
    ]
  })
  const { created, renumbered, changed, equal, kept, matched } = totalsOf(plan)
  return [
    ...lines,
    `In all: ${created} created, ${renumbered} of them with another id; ${changed} changed; ${kept} kept as they are here; ${equal} equal; ${matched} were here before.`,
    ...plan.notes,
    ...ambiguityLines(plan),
    ...plan.refused,
  ]
}

/** The decisions that are missing; none if the import can run. */
function ambiguityLines({ ambiguous }: ImportPlan): readonly string[] {
  if (ambiguous.length === 0) return []
  const lines = ambiguous.slice(0, SHOWN).map(({ model, sourceId, display, reason, candidates }) => {
    const list = candidates.map(({ id, display: name }) => `${name} (${id})`).join(', ')
    return `  ${model}:${sourceId} ${display}: ${reason}${list === '' ? '' : `: ${list}`}`
  })
  const more = ambiguous.length > SHOWN ? [`  … and ${ambiguous.length - SHOWN} more`] : []
  const count = ambiguous.length === 1 ? '1 object is' : `${ambiguous.length} objects are`
  return [`${count} ambiguous:`, ...lines, ...more]
}

/** Says which decisions are missing, and how to make them. */
export const decisionText = (plan: ImportPlan): string =>
  [
    ...ambiguityLines(plan),
    'Rename one of them, or choose with --choose <type>:<id there>=<id here>, or =new for a new object.',
  ].join('\n')

/** Equal for plans with the same effects. */
export const planDigest = ({ source, isNew, collections, ambiguous }: ImportPlan): string =>
  hash('sha256', JSON.stringify([source, isNew, collections.map(({ model: _, ...counts }) => counts), ambiguous]))

const SHOWN = 20

import type { Unique } from '../../schema/model.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import { encodeValue } from '../values.ts'
import { findUniqueConflicts } from './unique-conflicts.ts'
import {
  type ComparedConstraint,
  type ComparedValues,
  comparison,
  conflictStatement,
  constraintOf,
} from './unique-statement.ts'

/** A constraint with the data for its check. */
interface Check extends ComparedConstraint {
  /** Field of the error, or `__all__`. */
  readonly place: string
  readonly sentence: string
}
interface Asked {
  readonly draft: Draft
  /** PostgreSQL text forms, in the order of the constraint's fields. */
  readonly values: readonly (string | null)[]
}

/** Checks unique single fields: part of the first stage, together with other errors of fields. */
export const checkUniqueFields = (context: WriteContext, drafts: readonly Draft[]): Promise<void> =>
  check(context, drafts, checksOfFields)

/** Checks the model's declared constraints: the end of the last stage. */
export const checkUniqueTogether = (context: WriteContext, drafts: readonly Draft[]): Promise<void> =>
  check(context, drafts, checksTogether)

const checksOfFields = oncePer((model: Model): readonly Check[] =>
  [...model.fields]
    .filter(([, field]) => 'unique' in field && field.unique)
    .map(([name]) => describe(model, { fields: [name] })),
)

const checksTogether = oncePer((model: Model): readonly Check[] =>
  (model.definition.unique ?? []).map((unique) => describe(model, unique)),
)

/** Checks all constraints and objects with one query, and the objects against each other. */
async function check(
  context: WriteContext,
  drafts: readonly Draft[],
  checksOf: (model: Model) => readonly Check[],
): Promise<void> {
  const model = drafts[0]?.model
  if (!model) return
  const ids = drafts.flatMap(({ next }) => (next.id > 0 ? [next.id] : []))
  const questions = checksOf(model).flatMap((check) => {
    const values = drafts.flatMap((draft) => ask(check, draft))
    return values.length > 0 ? [{ check, asked: values }] : []
  })
  if (questions.length === 0) return
  const compared = questions.map(({ check, asked: candidates }) => comparedValues(check, candidates))
  const conflicts = await findUniqueConflicts(context, conflictStatement(model, compared, ids))
  questions.forEach(({ check, asked: candidates }, index) => {
    const seen = new Set<string>()
    candidates.forEach(({ draft, values }, position) => {
      const key = keyOf(check, values)
      if (conflicts.disclosable.has(`${index},${position}`) || seen.has(key)) {
        addRefusal(draft, { [check.place]: check.sentence })
      } else if (conflicts.all.has(`${index},${position}`)) {
        addRefusal(draft, { [check.place]: unusable(check.unique) })
      }
      seen.add(key)
    })
  })
}

const comparedValues = (check: Check, candidates: readonly Asked[]): ComparedValues => ({
  constraint: check,
  lists: check.columns.map((_, at) => candidates.map(({ values }) => values[at] ?? null)),
})

const describe = (model: Model, unique: Unique): Check => ({
  ...constraintOf(model, unique),
  ...duplicate(model, unique),
})

/** Error of a violated constraint, by field. */
export function duplicate(
  { definition, fields: modelFields }: Model,
  unique: Unique,
): { readonly place: string; readonly sentence: string } {
  const { fields, ignoreCase, whereNull, whereNotNull, whereNotEmpty } = unique
  const isPlain = !ignoreCase && !whereNull && !whereNotNull && !whereNotEmpty
  const [first = ''] = fields
  const [label] = definition.labels
  if (fields.length === 1 && isPlain) {
    return { place: first, sentence: `${label} with this ${first.replaceAll('_', ' ')} already exists.` }
  }
  const fieldLabels = fields.map((name) => {
    const field = modelFields.get(name)
    return (field && 'label' in field && field.label) || name.replaceAll('_', ' ')
  })
  return { place: '__all__', sentence: `Another ${label} with this ${listed(fieldLabels)} already exists.` }
}

/** `a, b and c` */
const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`

/** Message for a conflict with a hidden object, which does not reveal that it exists. */
export const unusable = ({ fields }: Unique): string =>
  fields.length === 1 ? 'This value cannot be used.' : 'These values cannot be combined.'

/** The object's values; none if the constraint does not apply to it. */
function ask({ unique, columns }: Check, draft: Draft): readonly Asked[] {
  const { next, previous, errors } = draft
  // A refused field has no value to compare.
  if (unique.fields.some((name) => errors.has(name))) return []
  const isIn = (row: Readonly<Record<string, unknown>>) =>
    (unique.whereNull ?? []).every((name) => row[name] === null) &&
    (unique.whereNotNull ?? []).every((name) => row[name] !== null) &&
    (unique.whereNotEmpty ?? []).every((name) => row[name] !== null && row[name] !== '')
  if (!isIn(next)) return []
  const values = columns.map((column) => encodeValue(column, next[column.key]))
  if (!unique.nullsEqual && values.includes(null)) return []
  if (previous && isIn(previous)) {
    const before = columns.map((column) => encodeValue(column, previous[column.key]))
    // Stored values have already passed the constraint.
    if (before.every((value, index) => value === values[index])) return []
  }
  return [{ draft, values }]
}

/** An object that has a unique value of another one. */
export interface Namesake {
  readonly other: number
  /** The field, or the last one of several that are unique together. */
  readonly field: string
}

/**
 * The objects with the unique values of the drafts, by the draft's id; any of them if there are several. They
 * include objects that are hidden from the user, and other drafts. `gone`: ids of objects that will not exist.
 */
export async function namesakesOf(
  { transaction }: Pick<WriteContext, 'transaction'>,
  drafts: readonly Draft[],
  gone: readonly number[] = [],
): Promise<ReadonlyMap<number, Namesake>> {
  const model = drafts[0]?.model
  if (!model) return new Map()
  const plain = drafts.map((draft) => ({ ...draft, errors: new Map<string, never>() }))
  const ids = [...drafts.map(({ next }) => next.id), ...gone]
  const twins = new Map<number, Namesake>()
  const parts = [...checksOfFields(model), ...checksTogether(model)].flatMap((check) => {
    const candidates = plain.flatMap((draft) => ask(check, draft))
    if (candidates.length === 0) return []
    for (const list of Map.groupBy(
      plain.flatMap((draft) => ask(check, { ...draft, previous: undefined })),
      ({ values }) => keyOf(check, values),
    ).values()) {
      const [first, ...duplicates] = list.map(({ draft }) => draft.next.id)
      for (const duplicateId of duplicates)
        if (first !== undefined) twins.set(duplicateId, { other: first, field: fieldOf(check) })
    }
    const { lists } = comparedValues(check, candidates)
    const { source, conditions } = comparison(model, check, lists, ids)
    const draftIds = candidates.map(({ draft }) => draft.next.id)
    return [
      sql`select (${draftIds}::bigint[])[q.position], t.id, ${fieldOf(check)}::text from ${source} join ${table(model)} t on ${conditions}`,
    ]
  })
  if (parts.length === 0) return twins
  const conflicts = await transaction.queryArrays(join(parts, ' union all '))
  return new Map([
    ...twins,
    ...conflicts.map(
      ([draft, conflicting, field]) => [Number(draft), { other: Number(conflicting), field: String(field) }] as const,
    ),
  ])
}

const fieldOf = ({ unique }: Check): string => unique.fields.at(-1) ?? ''

const keyOf = ({ unique, columns }: Check, values: readonly (string | null)[]): string =>
  JSON.stringify(
    values.map((value, at) => (unique.ignoreCase?.includes(columns[at]?.key ?? '') ? value?.toLowerCase() : value)),
  )

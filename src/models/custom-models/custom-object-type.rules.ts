import { CUSTOM_MODELS_APP } from '../../schema/custom-models.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { customObjectType } from './custom-object-type.ts'
import { isDisplayExpression } from './display-expression.ts'

type TypeRule = Rule<typeof customObjectType.fields>

/** Segments of addresses that have another meaning. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'custom-object-types',
  'custom-object-type-fields',
  'linked-objects',
  'removed',
  'schema',
])

const slugIsFree: TypeRule = ({ next }) =>
  RESERVED_SLUGS.has(next.slug) ? { slug: `The slug ${next.slug} is reserved.` } : undefined

const expressionIsReadable: TypeRule = ({ next }) =>
  isDisplayExpression(next.display_expression)
    ? undefined
    : { display_expression: 'Use names of fields in double braces, such as {{ number }}; filters are not available.' }

const constraintsAreLists: TypeRule = ({ next }) => {
  const sets = next.unique_together
  const isList = Array.isArray(sets) && sets.every((set) => Array.isArray(set) && set.length > 1 && set.every(isText))
  return isList ? undefined : { unique_together: 'Enter lists of at least two names of fields.' }
}

/** The fields of an extension are columns of the extended model. */
const extensionStays: TypeRule = ({ next, previous }) => {
  if (previous && next.extends !== previous.extends) return { extends: 'This cannot be changed.' }
  return next.extends === null && Object.keys(next.applies_to ?? {}).length > 0
    ? { applies_to: 'Only an extension can be limited to some objects.' }
    : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Longest key: names of tables, which have further parts, have at most 63 characters. */
const LONGEST_KEY = 30

/**
 * Gives a new type the name of its object type, which never changes, so that permissions, event rules and change records
 * refer to the same model after a type has been renamed. A name that another type had before gets a number.
 */
const nameObjectType: Normalizer<typeof customObjectType.fields> = async ({ next, previous, read, batch }) => {
  if (previous || next.object_type_name !== '') return undefined
  if (next.extends !== null) return { object_type_name: next.extends }
  const key = keyOf(next.name)
  const taken = new Set(
    await read.database.queryColumn(
      sql`select model from ${table('core.objecttype')} where app_label = ${CUSTOM_MODELS_APP}
        union select split_part(object_type_name, '.', 2) from ${table(customObjectType.name)}`,
    ),
  )
  const earlier = batch.slice(0, batch.indexOf(next)).filter(({ name }) => keyOf(name) === key).length
  let free = key
  for (let number = 2 + earlier; taken.has(free) || (earlier > 0 && free === key); number++) free = `${key}${number}`
  return { object_type_name: `${CUSTOM_MODELS_APP}.${free}` }
}

const keyOf = (name: string): string => name.replaceAll('_', '').slice(0, LONGEST_KEY)

/** Rules of custom object types; the service changes the tables at the end of the write. */
export const customObjectTypeBehaviour = behaviour(customObjectType, {
  modelRules: [slugIsFree, extensionStays, expressionIsReadable, constraintsAreLists],
  normalize: [nameObjectType],
})

import { type Json, parseJson } from '../../schema/json.ts'
import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { customObjectField } from './custom-object-field.ts'
import { customObjectType } from './custom-object-type.ts'
import { displayParts } from './display-expression.ts'
import { namesOf } from './value-field.ts'

interface NamingType extends Record<string, unknown> {
  readonly id: number
  readonly object_type_name: string
  readonly extends: string | null
  readonly ordering: readonly string[]
  readonly unique_together: string
  readonly display_expression: string
}

/**
 * A type names its fields in its order, its unique constraints and its display expression, and others name them in
 * filters, views, constraints and rules: they follow a new name.
 */
export const followNames: EffectFunction<typeof customObjectField.fields> = async ({
  action,
  rows,
  database,
  write,
}) => {
  if (action !== 'update') return
  const names = new Map<number, Map<string, string>>()
  for (const { next, previous } of rows) {
    if (!next || !previous || next.name === previous.name) continue
    const ofType = names.get(next.custom_object_type) ?? new Map<string, string>()
    const present = namesOf(next)
    for (const [index, name] of namesOf(previous).entries()) ofType.set(name, present[index] ?? name)
    names.set(next.custom_object_type, ofType)
  }
  if (names.size === 0) return
  const types = await database.query<NamingType>(sql`
    select id, object_type_name, extends, ordering, unique_together, display_expression from ${table(customObjectType.name)}
    where id = any(${[...names.keys()]}::bigint[])`)
  const changes = types.flatMap((type) => {
    const renamed = withNames(type, (name) => names.get(type.id)?.get(name) ?? name)
    const isSame = JSON.stringify(renamed) === JSON.stringify(withNames(type, (name) => name))
    return isSame ? [] : [{ id: type.id, ...renamed }]
  })
  if (changes.length > 0) await write.update(customObjectType, changes)
  await write.renameFields(
    types.flatMap((type) =>
      [...(names.get(type.id) ?? [])].flatMap(([from, to]) =>
        from === to ? [] : [{ type: type.extends ?? type.object_type_name, from, to, isCustom: false }],
      ),
    ),
  )
}

function withNames({ ordering, unique_together, display_expression }: NamingType, nameOf: (name: string) => string) {
  const sets = parseJson(unique_together) as Json // a JSON column
  return {
    ordering: ordering.map((term) => (term.startsWith('-') ? `-${nameOf(term.slice(1))}` : nameOf(term))),
    unique_together: Array.isArray(sets)
      ? sets.map((set) =>
          Array.isArray(set) ? set.map((name) => (typeof name === 'string' ? nameOf(name) : name)) : set,
        )
      : sets,
    display_expression: displayParts(display_expression)
      .map((part) => ('text' in part ? part.text : `{{ ${nameOf(part.field)} }}`))
      .join(''),
  }
}

import type { ValueRenderer } from '../../read/serialise/plan.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { SelectedField } from './selected-field.ts'
import { selectedFields } from './selection.ts'
import type { Source } from './source.ts'
import { windowOf } from './window.ts'

interface ObjectType {
  readonly id: number
  readonly app_label: string
  readonly model: string
}

/** The object types in the row, from one statement for all. */
export function objectTypesRenderer(
  { names, isList }: Extract<Source, { kind: 'objectTypes' }>,
  { execution, builder, nodes, args }: SelectedField,
): ValueRenderer {
  const { offset, limit } = windowOf(args.pagination, 0)
  const index = builder.column(names)
  const sets = nodes.map(({ selectionSet }) => selectionSet)
  const selected = [...selectedFields(execution.parts, 'ContentTypeType', sets)]
  const text = (type: ObjectType): string =>
    `{${selected.map(([key, [node]]) => `${JSON.stringify(key)}:${partOf(type, node?.name.value)}`).join(',')}}`
  const position = builder.loadByRows(async (_rows, { service }) => {
    const types = await execution.whole.database.query<Record<string, unknown> & ObjectType>(
      sql`select id, app_label, model from ${table(service.registry.model(SYSTEM.objectType))} order by app_label, model`,
    )
    const byName = new Map(types.map((type) => [`${type.app_label}.${type.model}`, text(type)]))
    const places = new Map(types.map((type, place) => [`${type.app_label}.${type.model}`, place]))
    const inOrder = (all: readonly string[]): readonly string[] =>
      all.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0))
    const texts = new Map<number, string>()
    for (const row of _rows) {
      const value = row[index]
      if (value === null) continue
      const json = isList
        ? `[${inOrder(value as readonly string[])
            .flatMap((name) => byName.get(name) ?? [])
            .slice(offset, limit === undefined ? undefined : offset + limit)
            .join(',')}]`
        : byName.get(String(value))
      if (json !== undefined) texts.set(Number(row[0]), json)
    }
    return texts
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? (isList ? '[]' : 'null')
}

function partOf(type: ObjectType, name: string | undefined): string {
  switch (name) {
    case 'id':
    case 'pk':
      return `"${type.id}"`
    case 'app_label':
      return JSON.stringify(type.app_label)
    case 'model':
      return JSON.stringify(type.model)
    case '__typename':
      return '"ContentTypeType"'
    default:
      return 'null'
  }
}

import { branchedModels } from '../../src/db/branches/branch-tables.ts'
import type { Database } from '../../src/db/database.ts'
import type { Column } from '../../src/schema/column.ts'
import type { GenericForeignKeyField } from '../../src/schema/field.ts'
import type { Model, Registry } from '../../src/schema/registry.ts'
import { identifier, join, raw, type Sql, sql } from '../../src/sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../../src/sql/table.ts'

/**
 * Fills every table with rows of three kinds, in turn: 1, 2 and 3. All values of a row of kind n are n or contain it
 * (`value-3`, 10.0.3.0/24, the third of January), in every table. A row refers to one of the next kind: 1 to 2, 2 to 3,
 * 3 to 1. A user who may view kinds 1 and 2 sees rows (2) that refer to hidden rows, and rows (1) to which hidden rows
 * refer; only hidden rows contain a 3. `branch`: gets its own rows in place of all rows that branches do not share.
 */
export async function fillWorld(database: Database, registry: Registry, branch?: Database): Promise<void> {
  const models = [...registry.models.values()].filter((model) => isFilled(model))
  await fillTables(database, registry, models)
  if (!branch) return
  const own = models.filter(({ name }) => branchedModels(registry).has(name))
  await branch.transaction(async (transaction) => {
    for (const model of own) {
      await transaction.execute(sql`${deleteFrom(model)}`)
      for (const relation of relationsOf(registry, model)) await transaction.execute(sql`${deleteFrom(relation)}`)
    }
  })
  await fillTables(branch, registry, own)
}

async function fillTables(database: Database, registry: Registry, models: readonly Model[]): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const model of models) {
      for (const row of rowsOf(registry, model)) {
        const names = [...row.keys()].map((column) => identifier(column.name))
        await transaction.execute(sql`
          ${insertInto(model)} (${join(names)})
          overriding system value values (${join([...row.values()])}) on conflict do nothing`)
      }
      for (const statement of linksOf(registry, model)) await transaction.execute(statement)
      await transaction.query(sql`
        select setval(pg_get_serial_sequence(${model.table}, 'id'),
          (select coalesce(max(id), 1) from ${table(model)}))`)
    }
  })
}

/** Kind of the row with the id. */
export const kindOf = (id: number): 1 | 2 | 3 => (((id - 1) % 3) + 1) as 1 | 2 | 3

/** Enough ids for all rows of the kinds that are not hidden. */
export const VISIBLE_IDS = Array.from({ length: 60 }, (_, index) => index + 1).filter((id) => kindOf(id) !== 3)

/** The service itself fills the table of object types; tables that only the service reads have formats of their own. */
const isFilled = ({ name, definition }: Model): boolean =>
  name !== 'core.objecttype' && definition.internal !== true && !OWN_FORM.has(name)
const OWN_FORM: ReadonlySet<string> = new Set(['dcim.cablepath', 'core.configrevision'])

/** Id of the row to which a row refers. */
const next = (id: number): number => (kindOf(id) % 3) + 1

/** A generic relation refers to three objects of each of this many models. */
const MOST_TARGETS = 8

function rowsOf(registry: Registry, model: Model): ReadonlyMap<Column, Sql>[] {
  const targets = [...model.fields.values()].flatMap((field) =>
    field.kind === 'genericForeignKey' ? [targetsOf(registry, field).length] : [],
  )
  const count = 3 * Math.max(1, ...targets)
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1
    return new Map(
      [...model.columns.values()].flatMap((column) => {
        const value = columnValue(registry, model, column, id)
        return value === undefined ? [] : [[column, value] as const]
      }),
    )
  })
}

const targetsOf = (registry: Registry, field: GenericForeignKeyField): readonly Model[] =>
  registry.targets(field).filter(isFilled).slice(0, MOST_TARGETS)

function columnValue(registry: Registry, model: Model, column: Column, id: number): Sql | undefined {
  const { field, key, type } = column
  const n = kindOf(id)
  const text = (value: string) => sql`${value}::text::${raw(type)}`
  if (key === 'id') return text(String(id))
  if (key === '_level') return text(String(3 - n))
  if (key === '_ancestors') return text(`{${[3, 2, 1].filter((each) => each >= n).join()}}`)
  if (key === '_sort') return text(`{value-${n}}`)
  const own = OWN_VALUES[`${model.name} ${key}`]?.(registry, n)
  if (own !== undefined) return text(own)
  switch (field.kind) {
    case 'foreignKey':
      if (OWN_FORM.has(field.to)) return undefined
      if (model.definition.tree?.parent === key) return n === 3 ? undefined : text(String(n + 1))
      return text(String(next(id)))
    case 'genericForeignKey': {
      const targets = targetsOf(registry, field)
      const target = targets[Math.floor((id - 1) / 3) % targets.length]
      return type === 'text' ? text(target?.name ?? '') : text(String(next(id)))
    }
    case 'choice':
      return text(String(field.choices.list[n === 3 ? 1 : 0]?.value ?? `value-${n}`))
    case 'objectType':
      return text('dcim.site')
    case 'objectTypes':
      return text(`{dcim.site}`)
    case 'json':
      return field.nullable ? undefined : text(JSON.stringify(field.default ?? {}))
    case 'customFields':
      return text(JSON.stringify({ one: next(id), many: [next(id)], word: `value-${n}` }))
    case 'file':
      return text('')
    default:
      return text(scalarOf(type, n))
  }
}

/** A value derived from the kind alone. */
function scalarOf(type: string, n: number): string {
  const [base = type] = type.split('(')
  const day = `2020-01-0${n}`
  const values: Readonly<Record<string, string>> = {
    text: `value-${n}`,
    boolean: String(n === 3),
    timestamptz: `${day}T00:00:00Z`,
    date: day,
    uuid: `00000000-0000-4000-8000-00000000000${n}`,
    inet: `10.0.${n}.1/24`,
    cidr: `10.0.${n}.0/24`,
    macaddr: `00:00:00:00:00:0${n}`,
    macaddr8: `00:00:00:00:00:00:00:0${n}`,
    jsonb: '{}',
    'text[]': `{value-${n}}`,
    'integer[]': `{${n}}`,
    'bigint[]': `{${n}}`,
    'cidr[]': `{10.0.${n}.0/24}`,
    'int4range[]': `{"[${n},${n + 1})"}`,
    'text[][]': `{{value-${n},value-${n}}}`,
    'jsonb[]': '{}',
  }
  return values[base] ?? String(n)
}

/** Custom fields that contain ids of sites, so that filters lead from any object to hidden sites. */
const CUSTOM_FIELDS = [
  ['one', 'object'],
  ['many', 'multiobject'],
  ['word', 'text'],
] as const
const OWN_VALUES: Readonly<Record<string, (registry: Registry, n: 1 | 2 | 3) => string>> = {
  'extras.customfield name': (_, n) => CUSTOM_FIELDS[n - 1]?.[0] ?? '',
  'extras.customfield type': (_, n) => CUSTOM_FIELDS[n - 1]?.[1] ?? '',
  'extras.customfield filter_logic': () => 'exact',
  'extras.customfield related_object_type': () => 'dcim.site',
  'extras.customfield object_types': ({ models }) =>
    `{${[...models.values()].flatMap((each) => (each.columns.has('custom_fields') ? [each.name] : []))}}`,
  // The name and the values of a computed field appear in the objects of its model.
  'extras.computedfield name': (_, n) => `computed_${'abc'[n - 1]}`,
  'extras.computedfield expression': () => 'name',
  'extras.computedfield result_type': () => 'text',
  // Only the owner sees an object that is not shared.
  'extras.savedfilter shared': () => 'true',
  'extras.savedview shared': () => 'true',
  'extras.tableconfig shared': () => 'true',
  'core.job is_private': () => 'false',
  'ipam.service port_mappings': (_, n) => `{tcp/${n}}`,
  'ipam.servicetemplate port_mappings': (_, n) => `{tcp/${n}}`,
  // These rows grant no permission.
  'users.objectpermission enabled': () => 'false',
}

const relationsOf = (registry: Registry, model: Model) =>
  [...model.fields].flatMap(([name, field]) =>
    field.kind === 'manyToMany' ? [registry.joinTable(model, name, field)] : [],
  )

/** Rows of the tables that join the model with others. */
function linksOf(registry: Registry, model: Model): readonly Sql[] {
  return [...model.fields].flatMap(([name, field]) => {
    if (field.kind === 'tags') {
      return [1, 2, 3].map(
        (id) => sql`${insertInto('extras.taggeditem')} (object_type, object_id, tag_id)
          select ${model.name}::text, ${id}::bigint, ${next(id)}::bigint on conflict do nothing`,
      )
    }
    if (field.kind !== 'manyToMany') return []
    const relation = registry.joinTable(model, name, field)
    return [1, 2, 3].map(
      (id) => sql`${insertInto(relation)} (${identifier(relation.ownColumn)}, ${identifier(relation.otherColumn)})
        values (${id}::bigint, ${next(id)}::bigint) on conflict do nothing`,
    )
  })
}

import { isCustomColumn, textOfValue, valueOfText } from '../../schema/custom-models.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredColumn, StoredSchema, StoredTable } from './stored-schema.ts'

/** The statements that turn one schema into another, and the reasons why they may not run. */
export interface Difference {
  /** SQL statements in the order in which they must run. */
  readonly statements: readonly string[]
  /** Tables that must be empty, because existing rows would have no value for a new column. */
  readonly mustBeEmpty: readonly { readonly table: string; readonly column: string }[]
  /** Differences that no statement can remove without losing or inventing data. */
  readonly problems: readonly string[]
}

/** Compares the stored schema with the declared one. */
export function differenceOf(stored: StoredSchema, declared: StoredSchema): Difference {
  const drops: string[] = []
  const tables: string[] = []
  const mustBeEmpty: { table: string; column: string }[] = []
  const problems: string[] = []
  const converted = new Set<string>()

  for (const [name, { table, definition }] of Object.entries(stored.constraints)) {
    if (declared.constraints[name]?.definition === definition) continue
    drops.push(`alter table ${quoted(table)} drop constraint if exists ${quoted(name)}`)
  }
  for (const [name, { definition }] of Object.entries(stored.indexes)) {
    if (declared.indexes[name]?.definition === definition) continue
    drops.push(`drop index if exists ${quoted(name)}`)
  }

  for (const name of Object.keys(stored.tables)) {
    if (!declared.tables[name]) problems.push(`the table ${name} is not declared any more`)
  }
  for (const [name, table] of Object.entries(declared.tables)) {
    const before = stored.tables[name]
    if (!before) {
      tables.push(createTable(name, table))
      continue
    }
    for (const column of Object.keys(before.columns)) {
      if (!table.columns[column]) problems.push(`the column ${name}.${column} is not declared any more`)
    }
    for (const [column, declaration] of Object.entries(table.columns)) {
      const existing = before.columns[column]
      if (existing) {
        const change = alterColumn(name, column, existing, {
          ...declaration,
          isOwn: isCustomColumn(table, column),
        })
        if (change.isConverted && !converted.has(name)) {
          converted.add(name)
          drops.push(...triggerDrops(stored, name))
        }
        tables.push(...change.statements)
        problems.push(...change.problems)
      } else {
        tables.push(`alter table ${quoted(name)} add column ${quoted(column)} ${columnText(declaration)}`)
        if (!declaration.nullable && declaration.default === undefined) {
          mustBeEmpty.push({ table: name, column })
        }
      }
    }
  }

  const additions = [
    ...Object.entries(declared.indexes)
      .filter(([name, { definition }]) => stored.indexes[name]?.definition !== definition)
      .map(
        ([name, { table, unique, definition }]) =>
          `create ${unique ? 'unique ' : ''}index ${quoted(name)} on ${quoted(table)} ${definition}`,
      ),
    ...addConstraints(stored, declared),
    ...Object.entries(declared.triggers ?? {})
      .filter(([name, { definition }]) => stored.triggers?.[name]?.definition !== definition || converted.has(name))
      .map(([, { definition }]) => definition),
  ]
  return { statements: [...drops, ...tables, ...additions], mustBeEmpty, problems }
}

function createTable(name: string, { columns, primaryKey }: StoredTable): string {
  const lines = Object.entries(columns).map(([column, declaration]) => `${quoted(column)} ${columnText(declaration)}`)
  return `create table ${quoted(name)} (${[...lines, `primary key (${quotedList(primaryKey)})`].join(', ')})`
}

/**
 * Adds the missing constraints, unique ones first: one statement per table, since thousands of small ones take
 * seconds.
 */
function addConstraints(stored: StoredSchema, declared: StoredSchema): readonly string[] {
  const missing = Object.entries(declared.constraints).filter(
    ([name, { definition }]) => stored.constraints[name]?.definition !== definition,
  )
  return [...Map.groupBy(missing, ([, { table }]) => table)].flatMap(([table, parts]) => {
    const additions = parts.map(([name, { definition }]) => `add constraint ${quoted(name)} ${definition}`)
    const before = stored.tables[table]
    return [
      ...(before ? parts.flatMap(([, { definition }]) => withoutDangling(table, before, definition)) : []),
      `alter table ${quoted(table)} ${additions.join(', ')}`,
    ]
  })
}

/**
 * Clears the references of a restored field to objects that have been deleted meanwhile; rows of a join table are
 * deleted.
 */
function withoutDangling(table: string, before: StoredTable, definition: string): readonly string[] {
  const { columns } = before
  const [, column, target] = /^foreign key \("([^"]+)"\) references "([^"]+)"/.exec(definition) ?? []
  if (column === undefined || target === undefined) return []
  if (!columns[column] || !isCustomColumn(before, column)) return []
  const isDangling = `${quoted(column)} is not null and ${quoted(column)} not in (select id from ${quoted(target)})`
  return [
    columns[column].nullable
      ? `update ${quoted(table)} set ${quoted(column)} = null where ${isDangling}`
      : `delete from ${quoted(table)} where ${isDangling}`,
  ]
}

function columnText({ type, collation, nullable, default: start, identity }: StoredColumn): string {
  return [
    type,
    ...(collation === undefined ? [] : [`collate ${quoted(collation)}`]),
    ...(nullable ? [] : ['not null']),
    ...(start === undefined ? [] : [`default ${start}`]),
    ...(identity ? ['generated by default as identity'] : []),
  ].join(' ')
}

function alterColumn(
  table: string,
  column: string,
  before: StoredColumn,
  after: StoredColumn & { readonly isOwn: boolean },
): Pick<Difference, 'statements' | 'problems'> & { readonly isConverted: boolean } {
  const statements: string[] = []
  const alter = `alter table ${quoted(table)} alter column ${quoted(column)}`
  const isConverted = before.type !== after.type && !isWider(before.type, after.type)
  if (isConverted && !after.isOwn) {
    return {
      ...{ statements, isConverted },
      problems: [`the column ${table}.${column} changes from ${before.type} to ${after.type}`],
    }
  }
  const hasNewType = before.type !== after.type || before.collation !== after.collation
  if (hasNewType) {
    const collation = after.collation === undefined ? '' : ` collate ${quoted(after.collation)}`
    const converted = isConverted ? ` using ${convertedColumn(quoted(column), before.type, after.type)}` : ''
    statements.push(`${alter} type ${after.type}${collation}${converted}`)
  }
  if (before.default !== after.default) {
    statements.push(after.default === undefined ? `${alter} drop default` : `${alter} set default ${after.default}`)
  }
  if (before.nullable && !after.nullable) {
    if (after.default !== undefined) {
      statements.push(
        `update ${quoted(table)} set ${quoted(column)} = ${after.default} where ${quoted(column)} is null`,
      )
    }
    statements.push(`${alter} set not null`)
  }
  if (!before.nullable && after.nullable) statements.push(`${alter} drop not null`)
  return { statements, problems: [], isConverted }
}

/** The statements that drop the triggers of a table, which prevent a change of the type of a column. */
const triggerDrops = ({ triggers }: StoredSchema, table: string): readonly string[] =>
  triggers?.[table]?.definition.match(/drop trigger if exists "[^"]+" on "[^"]+"/g) ?? []

const INTEGERS = ['smallint', 'integer', 'bigint']
const NUMERIC = /^numeric\((\d+),(\d+)\)$/

/** True if every value of the first type is also a value of the second, unchanged. */
function isWider(before: string, after: string): boolean {
  if (before === 'jsonb' && after === 'json') return true
  if (INTEGERS.includes(before) && INTEGERS.includes(after)) {
    return INTEGERS.indexOf(before) < INTEGERS.indexOf(after)
  }
  const [, digits, places] = NUMERIC.exec(before)?.map(Number) ?? []
  const [, moreDigits, morePlaces] = NUMERIC.exec(after)?.map(Number) ?? []
  if (digits === undefined || places === undefined) return false
  if (moreDigits === undefined || morePlaces === undefined) return false
  return morePlaces >= places && moreDigits - morePlaces >= digits - places
}

/** The converted value of a column; null for a text that is no value of the type. */
function convertedColumn(column: string, before: string, after: string): string {
  const text = textOfValue(before, column)
  return after === 'text' ? text : valueOfText(after, text)
}

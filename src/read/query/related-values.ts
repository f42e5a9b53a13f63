import DataLoader from 'dataloader'
import { formatInterface, networkOf, parseInterface } from '../../schema/net/ip.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { parseHardwareAddress } from './parse-hardware-address.ts'
import { parseInteger } from './parse-value.ts'
import { notAChoice, RefusedValue } from './refused-value.ts'
import { applyRowSecurity, type RowSecurity } from './row-security.ts'

const LARGEST_ID = 2n ** 63n - 1n

/**
 * Finds the ids of named related objects among those that the actor may view. The values of all parameters of a request
 * are looked up together, with one query per model and column.
 */
export class RelatedValues {
  readonly #database: Pick<Queryable, 'queryArrays'>
  readonly #security: RowSecurity
  readonly #loaders = new Map<string, DataLoader<string, readonly number[]>>()

  constructor(database: Pick<Queryable, 'queryArrays'>, security: RowSecurity) {
    this.#database = database
    this.#security = security
  }

  /** Ids of the objects that the values name; several if names repeat. Throws for the first value without an object. */
  async idsOf(model: Model, by: string, values: readonly string[]): Promise<number[]> {
    const idLists = await Promise.all(values.map((value) => this.#loader(model, by).load(normalize(model, by, value))))
    for (const [index, ids] of idLists.entries()) {
      if (ids.length === 0) throw notAChoice(values[index] ?? '')
    }
    return idLists.flat()
  }

  #loader(model: Model, by: string): DataLoader<string, readonly number[]> {
    const key = `${model.name} ${by}`
    let loader = this.#loaders.get(key)
    if (!loader) {
      loader = new DataLoader((values) => this.#load(model, by, values))
      this.#loaders.set(key, loader)
    }
    return loader
  }

  async #load(model: Model, by: string, values: readonly string[]): Promise<(readonly number[])[]> {
    const column = columnNamed(model, by)
    const statement = sql`
      select t.id, ${column.text} as value from ${table(model)} t
      where ${column.sql} = any(${values}${column.cast})`
    const rows = await this.#database.queryArrays(applyRowSecurity(this.#security, statement))
    const ids = Map.groupBy(rows, ([, value]) => value)
    return values.map((value) => ids.get(value)?.map(([id]) => Number(id)) ?? [])
  }
}

interface ComparedColumn {
  readonly sql: Sql
  /** Cast of the list of values. */
  readonly cast: Sql
  /** The column's value in the form of `normalize`. */
  readonly text: Sql
}

type ColumnKind = 'integer' | 'address' | 'network' | 'hardwareAddress' | 'text' | 'other'

const kindOf = (model: Model, by: string): ColumnKind => {
  const type = model.columns.get(by)?.type
  if (type === undefined) throw new Error(`${model.name} has no column ${by} to be named by`)
  if (type === 'bigint' || type === 'integer' || type === 'smallint') return 'integer'
  if (type === 'macaddr') return 'hardwareAddress'
  if (type === 'cidr') return 'network'
  if (type === 'inet') return 'address'
  return type === 'text' ? 'text' : 'other'
}

function columnNamed(model: Model, by: string): ComparedColumn {
  const column = sql`t.${identifier(model.columns.get(by)?.name ?? by)}`
  switch (kindOf(model, by)) {
    case 'integer':
      return { sql: column, cast: sql`::bigint[]`, text: sql`${column}::text` }
    case 'address':
      return { sql: column, cast: sql`::inet[]`, text: sql`text(${column})` }
    case 'hardwareAddress':
      return { sql: column, cast: sql`::macaddr[]`, text: sql`${column}::text` }
    case 'network':
      return { sql: column, cast: sql`::cidr[]`, text: sql`${column}::text` }
    case 'text':
      return { sql: column, cast: sql`::text[]`, text: column }
    case 'other':
      return { sql: sql`${column}::text`, cast: sql`::text[]`, text: sql`${column}::text` }
  }
}

/** The value as the column's text. Throws if the text is not a valid value. */
function normalize(model: Model, by: string, value: string): string {
  if (value.includes('\0')) throw new RefusedValue('Null characters are not allowed.')
  switch (kindOf(model, by)) {
    case 'integer':
      return normalizeInteger(value)
    case 'address': {
      // An address is found only in the spelling that the service itself shows.
      if (!parseInterface(value) || !value.includes('/')) throw notAChoice(value)
      return value
    }
    case 'hardwareAddress': {
      const address = parseHardwareAddress(value, 6)
      if (address === undefined) throw notAChoice(value)
      return address
    }
    case 'network': {
      const parsed = parseInterface(value)
      if (!parsed || parsed.value !== networkOf(parsed).value) throw notAChoice(value)
      return formatInterface(parsed)
    }
    case 'text':
    case 'other':
      return value
  }
}

function normalizeInteger(value: string): string {
  let id: bigint
  try {
    id = parseInteger(value)
  } catch {
    throw new RefusedValue(`“${value}” is not a valid value.`)
  }
  if (id > LARGEST_ID || id < -LARGEST_ID) throw notAChoice(value)
  return String(id)
}

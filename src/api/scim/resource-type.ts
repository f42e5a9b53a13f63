import type { ScimConfig } from '../../config/auth-providers.ts'
import type { Audit } from '../../schema/audit.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable, Row } from '../../sql/queryable.ts'
import { type Change, type Condition, invalidFilter, noResource, type ScimWindow } from './messages.ts'

/** The requesting provider, which sees only its own users and groups. */
export interface ScimScope {
  readonly config: ScimConfig
  readonly audit: Audit
  /** Address of the API: `https://…/scim/v2`. */
  readonly base: string
}

/** Characteristics of an attribute (RFC 7643 §7). By default it is an optional, writable text. */
interface Characteristics {
  readonly type?: 'boolean' | 'complex'
  readonly multiValued?: true
  readonly required?: true
  readonly caseExact?: true
  readonly mutability?: 'readOnly' | 'immutable'
  readonly uniqueness?: 'server'
  readonly subAttributes?: Readonly<Record<string, Characteristics>>
}

/** An attribute of a resource. `Stored` is the row from which it is read, `Values` what changes set. */
interface Attribute<Stored, Values> {
  readonly about: Characteristics
  /** Its value in a response; undefined if it has none. `base`: see ScimScope. */
  read(row: Stored, base: string): Json | undefined
  /** Rows `r` in which the attribute equals the value. Absent if clients cannot filter by it. Throws ScimError. */
  filter?(value: string, provider: string): Sql
  /** Paths of the changes that concern the attribute, in lower case. The default is its name. */
  readonly paths?: RegExp
  /** The values after a change. Absent if clients cannot change it. Throws ScimError. */
  write?(change: Change, before: Values): Partial<Values>
}

/** A resource's place in the API, in each row. */
export interface ResourceRow extends Row {
  /** The id by which the provider addresses it. */
  readonly resource_id: string
  /** When it was created, if that is stored. */
  readonly created?: string
}

interface Declaration<Stored, Values> {
  readonly name: 'User' | 'Group'
  readonly schema: string
  /** Query of the provider's resources with the columns of `Stored`, and `position` in lists. */
  rows(provider: string): Sql
  readonly attributes: Readonly<Record<string, Attribute<Stored, Values>>>
}

/** A type of resources (RFC 7643 §6). Methods throw ScimError for what clients may not ask or change. */
export class ResourceType<Stored extends ResourceRow, Values> {
  readonly #declaration: Declaration<Stored, Values>

  constructor(declaration: Declaration<Stored, Values>) {
    this.#declaration = declaration
  }

  /** The resources of a list, and how many match the conditions. */
  async list(
    queryable: Queryable,
    { config: { name: provider } }: ScimScope,
    conditions: readonly Condition[],
    { offset, limit }: ScimWindow,
  ): Promise<{ readonly total: number; readonly resources: readonly Stored[] }> {
    const predicates = conditions.map((condition) => this.#predicate(condition, provider))
    const matching = sql`(${this.#declaration.rows(provider)}) r where ${join([sql`true`, ...predicates], ' and ')}`
    const [row] = await queryable.query<{ count: number }>(sql`select count(*)::int as count from ${matching}`)
    const resources = await queryable.query<Stored>(
      sql`select * from ${matching} order by r.position limit ${limit}::int offset ${offset}::int`,
    )
    return { total: row?.count ?? 0, resources }
  }

  async find(queryable: Queryable, { config }: ScimScope, id: string): Promise<Stored> {
    const rows = this.#declaration.rows(config.name)
    const [resource] = await queryable.query<Stored>(sql`select * from (${rows}) r where r.resource_id = ${id}`)
    if (!resource) throw noResource()
    return resource
  }

  #predicate({ attribute: path, value }: Condition, provider: string): Sql {
    if (path === 'id') return sql`r.resource_id = ${value}`
    const attribute = this.#attribute(
      (name, { about }) => path === name || (about.multiValued === true && path === `${name}.value`),
    )
    if (!attribute?.filter) throw invalidFilter()
    return attribute.filter(value, provider)
  }

  /** The attribute that fits; names are in lower case. */
  #attribute(fits: (name: string, attribute: Attribute<Stored, Values>) => boolean) {
    return Object.entries(this.#declaration.attributes).find(([name, attribute]) =>
      fits(name.toLowerCase(), attribute),
    )?.[1]
  }

  /** The values after the changes. Attributes that are not stored are dropped: providers send many. */
  valuesAfter(changes: readonly Change[], before: Values): Values {
    let values = before
    for (const change of changes) {
      const attribute = this.#attribute((name, { paths }) => paths?.test(change.path) ?? change.path === name)
      values = { ...values, ...attribute?.write?.(change, values) }
    }
    return values
  }

  /** The resource in the form of responses. */
  document(row: Stored, { base }: ScimScope): JsonObject {
    const { name, schema, attributes } = this.#declaration
    const values = Object.entries(attributes).map(([key, attribute]) => [key, attribute.read(row, base)] as const)
    return {
      ...{ schemas: [schema], id: row.resource_id },
      ...Object.fromEntries(values.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined)),
      meta: {
        resourceType: name,
        ...(row.created !== undefined && { created: new Date(row.created).toISOString() }),
        location: `${base}/${name}s/${row.resource_id}`,
      },
    }
  }

  /** How clients discover the type (RFC 7643 §6). */
  get typeDocument(): JsonObject {
    const { name, schema } = this.#declaration
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:ResourceType']
    return { schemas, id: name, name, endpoint: `/${name}s`, schema }
  }

  /** How clients discover the attributes (RFC 7643 §7). */
  get schemaDocument(): JsonObject {
    const { name, schema, attributes } = this.#declaration
    const about = Object.entries(attributes).map(([key, attribute]) => characteristics(key, attribute.about))
    return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'], id: schema, name, attributes: about }
  }
}

const characteristics = (name: string, { subAttributes, ...about }: Characteristics): JsonObject => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...about,
  ...(subAttributes && {
    subAttributes: Object.entries(subAttributes).map(([key, subAttribute]) => characteristics(key, subAttribute)),
  }),
})

import { invalid } from '../../base/errors.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { customObjectType } from '../../models/custom-models/custom-object-type.ts'
import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { CUSTOM_MODELS_APP } from '../../schema/custom-models.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ANY_OBJECT, action, listOf, queryParameter } from '../actions/action.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, jsonResponse } from '../response.ts'

/** The custom models. */
const customModels = ({ models }: Registry): readonly Model[] =>
  [...models.values()].filter(({ app, definition }) => app === CUSTOM_MODELS_APP && !definition.isShared)

/** The model of a name, `app.model`, or `custom-objects.<slug>`; undefined if there is none. */
const modelNamed = (registry: Registry, name: string): Model | undefined =>
  registry.models.get(name) ??
  customModels(registry).find(({ path }) => `custom-objects.${path.split('/').at(-1)}` === name)

/** One statement for each field that can refer to the object; it selects the objects of custom models that do. */
function referencesTo(registry: Registry, target: Model, id: number): readonly Sql[] {
  return customModels(registry).flatMap((model) =>
    [...model.fields].flatMap(([name, field]) => {
      const refers = conditionOf(registry, model, { name, target, id })
      return refers && field
        ? [
            sql`select ${model.name}::text as type, ${joinedAs(model, name)}::text as field, t.id, ${displayOf(model, T)} as display
              from ${table(model)} t where ${refers}`,
          ]
        : []
    }),
  )
}

/** Name of the field that shows the objects of the field with this name. */
const joinedAs = ({ fields }: Model, name: string): string =>
  [...fields].find(([, field]) => field.kind === 'computed' && Object.values(field.joins ?? {}).includes(name))?.[0] ??
  name

interface Reference {
  readonly name: string
  readonly target: Model
  readonly id: number
}

function conditionOf(registry: Registry, model: Model, { name, target, id }: Reference): Sql | undefined {
  const field = model.fields.get(name)
  if (name === 'owner' || name === 'custom_object_type') return undefined
  if (field?.kind === 'foreignKey' && field.to === target.name) {
    const column = model.columns.get(name)
    return column && sql`t.${identifier(column.name)} = ${id}::bigint`
  }
  if (field?.kind === 'manyToMany' && field.to === target.name) {
    const joined = registry.joinTable(model, name, field)
    return sql`exists (select from ${table(joined)} j where j.${identifier(joined.ownColumn)} = t.id
      and j.${identifier(joined.otherColumn)} = ${id}::bigint)`
  }
  if (field?.kind === 'genericForeignKey' && field.targets.includes(target.name)) {
    const keys = genericKeys(name, field)
    return sql`t.${identifier(keys.type)} = ${target.name} and t.${identifier(keys.id)} = ${id}::bigint`
  }
  return undefined
}

interface LinkedRow {
  readonly type: string
  readonly field: string
  readonly id: number
  readonly display: string
}

async function readLinkedObjects({ service, actor, search, base }: ApiRequest): Promise<HttpResponse> {
  const { registry, database, settings } = service
  const target = modelNamed(registry, lastValue(search, 'object_type') ?? '')
  if (!target) throw invalid({ object_type: ['Name an object type, such as dcim.rack.'] })
  const id = Number(lastValue(search, 'object_id') ?? '')
  if (!Number.isSafeInteger(id) || id < 1) throw invalid({ object_id: ['Enter the id of an object.'] })
  const parts = referencesTo(registry, target, id)
  const security = rowSecurityOf(actor, registry, settings)
  const rows =
    parts.length === 0
      ? []
      : await database.query<LinkedRow & Record<string, unknown>>(
          applyRowSecurity(security, sql`select * from (${join(parts, ' union all ')}) x order by type, field, id`),
        )
  const types = await typesByName(service)
  return jsonResponse(200, {
    count: rows.length,
    next: null,
    previous: null,
    results: rows.map(({ type, field, id: linked, display }) => ({
      custom_object_type: typeJson(types.get(type), base),
      field_name: field,
      object: { id: linked, url: `${base}/api/${registry.model(type).path}/${linked}/`, display },
    })),
  })
}

interface TypeRow extends Record<string, unknown> {
  readonly id: number
  readonly object_type_name: string
  readonly name: string
  readonly slug: string
  readonly description: string
}

const typesByName = async ({ database }: ApiRequest['service']): Promise<ReadonlyMap<string, TypeRow>> => {
  const rows = await database.query<TypeRow>(
    sql`select id, object_type_name, name, slug, description from ${table(customObjectType.name)}`,
  )
  return new Map(rows.map((row) => [row.object_type_name, row]))
}

const typeJson = (type: TypeRow | undefined, base: string) =>
  type && {
    id: type.id,
    url: `${base}/api/${customObjectType.path}/${type.id}/`,
    name: type.name,
    slug: type.slug,
    description: type.description,
  }

/** GET: the objects of custom models that refer to an object and that the user may view. */
export const linkedObjects = action({
  path: 'plugins/custom-objects/linked-objects',
  title: 'Linked Objects',
  description: 'The custom objects that refer to one object.',
  methods: {
    GET: {
      permission: 'user',
      parameters: [
        queryParameter('object_type', 'Type of the object: app.model', { type: 'string' }),
        queryParameter('object_id', 'Id of the object', { type: 'integer' }),
      ],
      answer: {
        type: 'object',
        properties: { count: { type: 'integer' }, results: listOf(ANY_OBJECT) },
      },
      handle: readLinkedObjects,
    },
  },
})

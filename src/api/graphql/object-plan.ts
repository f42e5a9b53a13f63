import { type FieldNode, type GraphQLObjectType, getArgumentValues, isNonNullType } from 'graphql'
import { typeNameOf } from '../../read/graphql-names.ts'
import { membershipsIn } from '../../read/groups/memberships.ts'
import { queryResults } from '../../read/serialise/computed.ts'
import { type ShownField, shownFields } from '../../read/serialise/custom-fields.ts'
import { displayRenderer } from '../../read/serialise/display.ts'
import { PAGE_FORM, type ReadPlan, type ValueRenderer } from '../../read/serialise/plan.ts'
import { PlanBuilder } from '../../read/serialise/plan-builder.ts'
import { readPlan, renderRows } from '../../read/serialise/reader.ts'
import type { RenderedRow } from '../../read/serialise/rendered.ts'
import { readSharedRows } from '../../read/serialise/shared-rows.ts'
import { orNull } from '../../read/serialise/value-text.ts'
import type { SharedRows } from '../../schema/computed.ts'
import { isJsonObject, ownValue, parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import { type Execution, placeOf, VOID } from './execution.ts'
import { loadList } from './list-plan.ts'
import { objectTypesRenderer } from './object-type-plan.ts'
import type { ObjectPlan, ObjectTexts, SelectedField } from './selected-field.ts'
import { selectedFields } from './selection.ts'
import type { Source } from './source.ts'
import { namedObjectRenderer, objectListRenderer } from './union-plan.ts'

/** The plan for the objects of a model under the nodes: one statement for all of them, and one or two for each relation. */
export function planObjects(execution: Execution, model: Model, nodes: readonly FieldNode[]): ObjectPlan {
  const typeName = typeNameOf(model)
  const type = execution.catalogue.schema.getType(typeName) as GraphQLObjectType
  const sources = execution.catalogue.fieldsOf(model)
  const builder = new PlanBuilder(execution.service, model, PAGE_FORM)
  const selected = selectedFields(
    execution.parts,
    typeName,
    nodes.map(({ selectionSet }) => selectionSet),
  )
  for (const [key, fields] of selected) {
    const [node] = fields
    if (!node) continue
    if (node.name.value === '__typename') {
      builder.part(key, () => `"${typeName}"`)
      continue
    }
    const field = type.getFields()[node.name.value]
    const source = sources.get(node.name.value)?.source
    if (!field || !source) throw new Error(`${typeName} has no field ${node.name.value}`)
    const args = getArgumentValues(field, node, execution.parts.variables)
    const plan = (to: Model) => planObjects(execution, to, fields)
    const place: SelectedField = { execution, builder, nodes: fields, args, plan }
    const render = rendererOf(source, place)
    builder.part(key, isNonNullType(field.type) ? nonNullRenderer(place, typeName, render) : nullableRenderer(render))
  }
  const plan: ReadPlan = {
    model,
    key: '',
    select: builder.select(),
    columns: builder.columns,
    parts: builder.parts,
    loads: builder.loads,
  }
  return {
    model,
    read: (ids) => readTexts(execution, plan, ids),
    readList: async (statementOf) => {
      const rendered = await renderStatement(execution, plan, statementOf(plan.select))
      return rendered.map(({ text }) => objectText(text))
    },
    readLists: async (statementOf) => {
      const lists = new Map<number, string[]>()
      for (const { row, text } of await renderStatement(execution, plan, statementOf(plan.select))) {
        const owner = Number(row.at(-1))
        const list = lists.get(owner)
        if (list) list.push(objectText(text))
        else lists.set(owner, [objectText(text)])
      }
      return lists
    },
  }
}

async function renderStatement(
  { reader, count }: Execution,
  plan: ReadPlan,
  statement: Sql,
): Promise<readonly RenderedRow[]> {
  const rows = await reader.database.queryArrays(statement)
  count(rows.length)
  return await renderRows(reader, plan, rows)
}

/** An object that lacks a value promised by its type is void. */
const objectText = (text: string): string => (text.includes(VOID) ? VOID : text)

async function readTexts({ reader, count }: Execution, plan: ReadPlan, ids: readonly number[]): Promise<ObjectTexts> {
  if (ids.length === 0) return new Map()
  count(ids.length)
  const rendered = await readPlan(reader, plan, { select: plan.select, ids })
  return new Map(rendered.map(({ row, text }) => [Number(row[0]), objectText(text)]))
}

/** A missing value that the type promises makes the object void. */
function nonNullRenderer({ execution, nodes }: SelectedField, type: string, render: ValueRenderer): ValueRenderer {
  const [node] = nodes
  return (row, loaded, base) => {
    const text = render(row, loaded, base)
    if (text !== 'null') return text
    const message = `Cannot return null for non-nullable field ${type}.${node?.name.value}.`
    if (!execution.problems.some((problem) => problem.message === message)) {
      execution.problems.push({ message, ...placeOf(node) })
    }
    return VOID
  }
}

/** A void object becomes null if the field is nullable. */
const nullableRenderer =
  (render: ValueRenderer): ValueRenderer =>
  (row, loaded, base) => {
    const text = render(row, loaded, base)
    return text === VOID ? 'null' : text
  }

function rendererOf(source: Source, place: SelectedField): ValueRenderer {
  const { builder, execution, nodes } = place
  switch (source.kind) {
    case 'constant':
      return () => source.text
    case 'value': {
      const index = builder.column(source.select)
      const text = orNull(source.text)
      return (row) => text(row[index])
    }
    case 'display':
      return displayRenderer(builder)
    case 'parts':
      return partsRenderer(source, place)
    case 'toOne':
      return relatedRenderer(source.to, builder.column(source.id), place)
    case 'toMany':
      return loadList(source, place)
    case 'generic':
      return namedObjectRenderer(source, place)
    case 'objectList':
      return objectListRenderer(source, place)
    case 'objectTypes':
      return objectTypesRenderer(source, place)
    case 'customFields':
      return customValuesRenderer(place)
    case 'computed': {
      const { field } = source
      const resultsOf = queryResults(builder, field)
      const position = builder.loadByIds((batch) =>
        field.load(batch.ids, {
          ...contextOf(execution),
          results: resultsOf(batch, execution.whole),
        }),
      )
      return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
    }
  }
  throw new Error(`No field is written for ${nodes[0]?.name.value}`)
}

/** The related object, in one statement for all rows of the level. */
function relatedRenderer(to: Model, index: number, { execution, builder, plan: planOf }: SelectedField): ValueRenderer {
  const plan = planOf(to)
  const position = builder.loadByRows(async (rows) => {
    const ids = new Set<number>()
    for (const row of rows) if (row[index] !== null) ids.add(Number(row[index]))
    return await plan.read([...ids])
  })
  return (row, loaded) => {
    const id = row[index]
    const text = id === null ? undefined : loaded[position]?.get(Number(id))
    if (text === undefined) return 'null'
    execution.grow(text.length)
    return text
  }
}

function partsRenderer(
  { select, parts, typeName }: Extract<Source, { kind: 'parts' }>,
  { builder, execution, nodes }: SelectedField,
): ValueRenderer {
  const index = builder.column(select)
  const selected = selectedFields(
    execution.parts,
    '',
    nodes.map(({ selectionSet }) => selectionSet),
  )
  const renderers = [...selected].map(([key, [node]]) => {
    const name = node?.name.value ?? ''
    const render = name === '__typename' ? () => `"${typeName}"` : (parts[name] ?? (() => 'null'))
    return { head: `${JSON.stringify(key)}:`, render }
  })
  return (row) => {
    const value = row[index]
    if (value === null || value === '') return 'null'
    return `{${renderers.map(({ head, render }) => head + render(value)).join(',')}}`
  }
}

/** The context of computed fields: they read the whole database. */
const contextOf = ({ whole }: Execution) => ({
  database: whole.database,
  cached: whole.cached,
  nested: (name: string, ids: readonly number[]) => {
    const model = whole.service.registry.model(name)
    return whole.nested(model, model.nested, ids)
  },
  rows: (shared: SharedRows, ids: Iterable<number>) => readSharedRows(whole, shared, ids),
  memberships: membershipsIn({ registry: whole.service.registry, database: whole.database }),
  share: <T>(_question: string, load: () => Promise<T>): Promise<T> => load(),
})

/** The stored values of all custom fields of the model, by group, weight and name; null if an object has none. */
function customValuesRenderer({ builder, execution }: SelectedField): ValueRenderer {
  const index = builder.stored('custom_fields')
  const position = builder.loadByRows(async (rows) => {
    const fields = await shownFields(execution.whole, builder.model, builder.service.registry.version)
    const unset = textOf(fields, {})
    const texts = new Map<number, string>()
    for (const row of rows) {
      const stored = row[index]
      const values = stored === '{}' ? undefined : parseJson(String(stored))
      texts.set(Number(row[0]), isJsonObject(values) ? textOf(fields, values) : unset)
    }
    return texts
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '{}'
}

const textOf = (fields: readonly ShownField[], values: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(
      fields.map(({ name, convert }) => {
        const value = ownValue(values, name) ?? null
        return [name, convert && value !== null ? convert(value) : value]
      }),
    ),
  )

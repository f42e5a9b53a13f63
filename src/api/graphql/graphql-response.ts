import { executeSync, type FieldNode, getArgumentValues, Kind, type OperationDefinitionNode } from 'graphql'
import { problemOfValues, StatementFailed } from '../../db/failures.ts'
import type { Actor } from '../../identity/actor.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { countRows } from '../../read/query/count.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { type RowSlice, selectSlice } from '../../read/query/slice.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import { openReader } from '../../read/serialise/reader.ts'
import { className } from '../../schema/class-name.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { type Budget, openBudget } from './budget.ts'
import { type Catalogue, catalogueOf, type RootField } from './catalogue.ts'
import { type PreparedQuery, prepareQuery } from './documents.ts'
import { problemOfError, type QueryProblem, QueryRefused, refusalText, shortMessage } from './errors.ts'
import { estimatedObjects, type RootList } from './estimate.ts'
import { type Execution, placeOf, VOID } from './execution.ts'
import { digitsOfId, type InputValues } from './filter-values.ts'
import { filterContext, type ListRequest, predicateOf, requestedList } from './list-plan.ts'
import { planObjects } from './object-plan.ts'
import { compileRepeating } from './repeated-rows.ts'
import { type QueryParts, selectedFields } from './selection.ts'

/** A query as a client sends it. */
export interface GraphQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
}

/** The JSON text of the response. Throws UnknownOperation for an operation that the document does not have. */
export async function graphqlResponse(
  service: Service,
  actor: Actor,
  { query, variables, operationName }: GraphQuery,
): Promise<string> {
  const catalogue = catalogueOf(service.registry)
  const budget = openBudget(service)
  try {
    const prepared = prepareQuery(catalogue, service.settings, query, operationName, variables)
    budget.checkTime()
    return await executePrepared(service, actor, catalogue, prepared, budget)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    return refusalText(error.problems)
  }
}

async function executePrepared(
  service: Service,
  actor: Actor,
  catalogue: Catalogue,
  { operation, fragments, variables, unions, document }: PreparedQuery,
  budget: Budget,
): Promise<string> {
  const parts: QueryParts = {
    fragments,
    variables,
    isOf: (type, condition) => type === condition || unions.get(condition)?.has(type) === true,
  }
  const execution = executionFor(service, actor, catalogue, parts, budget)
  const selected = selectedFields(parts, 'Query', [operation.selectionSet])
  refuseRepeatedSchema(selected)
  budget.checkRows(await estimatedObjects(execution, rootLists(execution, selected)))
  const texts = await Promise.all(
    [...selected].map(async ([key, nodes]) => {
      const text = await rootText(execution, key, nodes, { operation, document })
      return { head: JSON.stringify(key), text }
    }),
  )
  const { problems } = execution
  const errors = problems.length > 0 ? `,"errors":${JSON.stringify(problems)}` : ''
  if (texts.some(({ text }) => text.includes(VOID))) return `{"data":null${errors}}`
  return `{"data":{${texts.map(({ head, text }) => `${head}:${text}`).join(',')}}${errors}}`
}

/** The whole schema has megabytes, which are written without yielding. */
function refuseRepeatedSchema(selected: ReadonlyMap<string, readonly FieldNode[]>): void {
  const roots = [...selected.values()].map(([node]) => node?.name.value)
  if (roots.filter((name) => name === '__schema').length <= 1) return
  throw new QueryRefused([{ message: "A query may have only one field '__schema'." }])
}

function executionFor(
  service: Service,
  actor: Actor,
  catalogue: Catalogue,
  parts: QueryParts,
  budget: Budget,
): Execution {
  const { registry, settings, database: all } = service
  const security = rowSecurityOf(actor, registry, settings)
  // Each statement begins only within the time of the query.
  const restricted = (statement: Sql): Sql => {
    budget.checkTime()
    return applyRowSecurity(security, statement)
  }
  const database: Queryable = {
    query: async (statement) => await all.query(restricted(statement)),
    queryArrays: async (statement) => await all.queryArrays(restricted(statement)),
    queryColumn: async (statement) => await all.queryColumn(restricted(statement)),
    execute: async (statement) => await all.execute(restricted(statement)),
  }
  const source = committedData(service)
  const whole = openReader(source)
  return {
    ...{ service, catalogue, parts, security, database, whole },
    user: actor.kind === 'user' ? actor.id : undefined,
    reader: openReader({ ...source, database, isRestricted: true }),
    related: new RelatedValues(all, security),
    problems: [],
    count: budget.count,
    grow: budget.grow,
  }
}

function rootLists(
  { catalogue, parts }: Execution,
  selected: ReadonlyMap<string, readonly FieldNode[]>,
): readonly RootList[] {
  return [...selected.values()].flatMap((nodes): readonly RootList[] => {
    const [node] = nodes
    const root = node && catalogue.roots.get(node.name.value)
    const field = node && catalogue.schema.getQueryType()?.getFields()[node.name.value]
    if (!root || !field || root.kind !== 'list') return []
    const args = getArgumentValues(field, node, parts.variables)
    return [{ model: root.model, nodes, args }]
  })
}

interface Whole {
  readonly operation: OperationDefinitionNode
  readonly document: PreparedQuery['document']
}

/** Text of one root field; VOID, with a problem, if it cannot be answered. */
async function rootText(execution: Execution, key: string, nodes: readonly FieldNode[], whole: Whole): Promise<string> {
  const [node] = nodes
  const name = node?.name.value ?? ''
  if (name === '__typename') return '"Query"'
  if (name.startsWith('__')) return introspect(execution, nodes, whole)
  const root = execution.catalogue.roots.get(name)
  const field = execution.catalogue.schema.getQueryType()?.getFields()[name]
  if (!root || !field || !node) throw new Error(`There is no root field ${name}`)
  try {
    const args = getArgumentValues(field, node, execution.parts.variables)
    return await ROOTS[root.kind](execution, root, nodes, args)
  } catch (error) {
    const message = messageOf(error)
    if (message === undefined) throw error
    execution.problems.push({ message, ...placeOf(node), path: [key] })
    return VOID
  }
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof RefusedValue) return shortMessage(error.message)
  // Input values that the database cannot compare, such as numbers beyond the range of a column, or values that are
  // nested too deeply.
  return error instanceof StatementFailed ? problemOfValues(error.code) : undefined
}

type RootRenderer = (
  execution: Execution,
  root: RootField,
  nodes: readonly FieldNode[],
  args: InputValues,
) => Promise<string>

const ROOTS: Readonly<Record<RootField['kind'], RootRenderer>> = {
  one: async (execution, { model }, nodes, args) => {
    const id = digitsOfId(args.id, 'id')
    const texts = Number.isSafeInteger(Number(id))
      ? await planObjects(execution, model, nodes).read([Number(id)])
      : new Map<number, string>()
    const text = texts.get(Number(id))
    if (text !== undefined) return text
    throw new RefusedValue(`${className(model)} matching query does not exist.`)
  },
  list: async (execution, { model }, nodes, args) => {
    const list = requestedList(execution, model, args)
    const plan = planObjects(execution, model, nodes)
    const slice = await requestedSlice(execution, model, list)
    const texts = await plan.readList((select) => selectSlice(model, slice, select))
    return `[${texts.join(',')}]`
  },
  count: async (execution, { model }, _nodes, args) => {
    const { filter } = requestedList(execution, model, args)
    const where = await predicateOf(execution, model, filter)
    const { security, service } = execution
    return String(await countRows(service, model, { where, security }))
  },
}

/** The rows of the list. */
async function requestedSlice(
  execution: Execution,
  model: Model,
  { filter, window, order, isDistinct }: ListRequest,
): Promise<RowSlice> {
  if (!filter || isDistinct || window.start !== undefined) {
    return { where: await predicateOf(execution, model, filter), order, window }
  }
  const { joins, where } = await compileRepeating(filter, filterContext(execution, model))
  const repeating = { joins: sql`${order.joins} ${joins}`, terms: order.terms }
  return { where, order: repeating, window }
}

/** Introspection is what graphql-js executes. */
function introspect(
  { catalogue, parts }: Execution,
  nodes: readonly FieldNode[],
  { operation, document }: Whole,
): string {
  const result = executeSync({
    schema: catalogue.schema,
    document: {
      kind: Kind.DOCUMENT,
      definitions: [
        ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
        { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: nodes } },
      ],
    },
    variableValues: parts.variables,
  })
  const errors: readonly QueryProblem[] = (result.errors ?? []).map(problemOfError)
  if (errors.length > 0) throw new QueryRefused(errors)
  return JSON.stringify(Object.values(result.data ?? {})[0] ?? null)
}

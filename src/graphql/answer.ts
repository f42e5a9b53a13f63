import {
  executeSync,
  type FieldNode,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import type { Actor } from '../auth/actor.ts'
import { rowSecurityOf } from '../auth/permitted-rows.ts'
import { committedData } from '../output/read-source.ts'
import { openReader } from '../output/reader.ts'
import { countRows } from '../query/count.ts'
import { pageStatement } from '../query/page.ts'
import { RefusedValue } from '../query/refused-value.ts'
import { RelatedValues } from '../query/related-values.ts'
import { applyRowSecurity } from '../query/row-security.ts'
import { className } from '../schema/class-name.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { StatementFailed } from '../storage/failures.ts'
import { type Catalogue, catalogueOf, type RootField } from './catalogue.ts'
import { type PreparedQuery, prepareQuery } from './documents.ts'
import { problemOfError, type QueryProblem, QueryRefused, refusalText } from './errors.ts'
import { type Execution, placeOf, VOID } from './execution.ts'
import { digitsOfId, type InputValues } from './filter-values.ts'
import { filterContext, type ListAsked, listAsked, predicateOf } from './list-plan.ts'
import { planObjects } from './object-plan.ts'
import { compileRepeating } from './repeated-rows.ts'
import { fieldsAsked, type QueryParts } from './selection.ts'

/** A query as a client sends it. */
export interface GraphQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
}

/** The JSON text of the answer. Throws UnknownOperation for an operation that the document does not have. */
export async function graphqlAnswer(
  service: Service,
  actor: Actor,
  { query, variables, operationName }: GraphQuery,
): Promise<string> {
  const catalogue = catalogueOf(service.registry)
  try {
    const prepared = prepareQuery(catalogue, service.settings, query, operationName, variables)
    return await answerPrepared(service, actor, catalogue, prepared)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    return refusalText(error.problems)
  }
}

async function answerPrepared(
  service: Service,
  actor: Actor,
  catalogue: Catalogue,
  { operation, fragments, variables, unions, document }: PreparedQuery,
): Promise<string> {
  const parts: QueryParts = {
    ...{ fragments, variables },
    isOf: (type, condition) => type === condition || unions.get(condition)?.has(type) === true,
  }
  const execution = executionFor(service, actor, catalogue, parts)
  const asked = fieldsAsked(parts, 'Query', [operation.selectionSet])
  const written = await Promise.all(
    [...asked].map(async ([key, nodes]) => {
      const text = await rootText(execution, key, nodes, { operation, document })
      return { head: JSON.stringify(key), text }
    }),
  )
  const { problems } = execution
  const errors = problems.length > 0 ? `,"errors":${JSON.stringify(problems)}` : ''
  if (written.some(({ text }) => text.includes(VOID))) return `{"data":null${errors}}`
  return `{"data":{${written.map(({ head, text }) => `${head}:${text}`).join(',')}}${errors}}`
}

function executionFor(
  service: Service,
  actor: Actor,
  catalogue: Catalogue,
  parts: QueryParts,
): Execution {
  const { registry, settings, database: all } = service
  const security = rowSecurityOf(actor, registry, settings)
  const database: Queryable = {
    query: (statement) => all.query(applyRowSecurity(security, statement)),
    queryArrays: (statement) => all.queryArrays(applyRowSecurity(security, statement)),
    execute: (statement) => all.execute(applyRowSecurity(security, statement)),
  }
  const whole = openReader(committedData(service))
  return {
    ...{ service, catalogue, parts, security, database, whole },
    user: actor.kind === 'user' ? actor.id : undefined,
    reader: { ...whole, database },
    related: new RelatedValues(all, security),
    problems: [],
    count: limitedSum(
      settings.graphqlMaxRows,
      `The answer would show more than ${settings.graphqlMaxRows} objects.`,
    ),
    grow: limitedSum(
      settings.graphqlMaxSize,
      `The answer would have more than ${settings.graphqlMaxSize} characters.`,
    ),
  }
}

/** Adds up; throws where the sum exceeds the limit, 0 for none. */
function limitedSum(most: number, messageOfLimit: string): (more: number) => void {
  let sum = 0
  return (more) => {
    sum += more
    if (most > 0 && sum > most) throw new QueryRefused([{ message: messageOfLimit }])
  }
}

interface Whole {
  readonly operation: OperationDefinitionNode
  readonly document: PreparedQuery['document']
}

/** Text of one root field; VOID, with a problem, where it cannot be answered. */
async function rootText(
  execution: Execution,
  key: string,
  nodes: readonly FieldNode[],
  whole: Whole,
): Promise<string> {
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
  if (error instanceof RefusedValue) return error.message
  // InputValues that the database cannot compare with, such as numbers beyond the range of a column.
  if (error instanceof StatementFailed && /^22/.test(error.code ?? '')) return error.message
  return undefined
}

type Answer = (
  execution: Execution,
  root: RootField,
  nodes: readonly FieldNode[],
  args: InputValues,
) => Promise<string>

const ROOTS: Readonly<Record<RootField['kind'], Answer>> = {
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
    const asked = listAsked(execution, model, args)
    const plan = planObjects(execution, model, nodes)
    const statement = await listStatement(execution, model, asked)
    const rows = await execution.service.database.queryArrays(statement)
    const ids = rows.map(([id]) => Number(id))
    const texts = await plan.read(ids)
    return `[${ids.flatMap((id) => texts.get(id) ?? []).join(',')}]`
  },
  count: async (execution, { model }, _nodes, args) => {
    const { filter } = listAsked(execution, model, args)
    const where = await predicateOf(execution, model, filter)
    const { security, service } = execution
    return String(await countRows(service, model, { where, security }))
  },
}

/** Selects the ids of the list. */
async function listStatement(
  execution: Execution,
  model: Model,
  { filter, window, order, isDistinct }: ListAsked,
): Promise<Sql> {
  const { security } = execution
  if (!filter || isDistinct || window.start !== undefined) {
    const where = await predicateOf(execution, model, filter)
    return pageStatement(model, { where, security, order, window })
  }
  const { joins, where } = await compileRepeating(filter, filterContext(execution, model))
  const repeating = { joins: sql`${order.joins} ${joins}`, terms: order.terms }
  return pageStatement(model, { where, security, order: repeating, window })
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

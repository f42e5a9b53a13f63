import { invalid } from '../../../base/errors.ts'
import { StatementFailed } from '../../../db/failures.ts'
import { isTimeout, limitTime } from '../../../db/time-limit.ts'
import { mayAct, rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { LONGEST_EXPRESSION } from '../../../models/extras/computed-field.ts'
import { type CompiledExpression, compileExpression } from '../../../read/expression/compile-expression.ts'
import { FUNCTION_HELP } from '../../../read/expression/functions.ts'
import { fittingAt, type MayView } from '../../../read/expression/names.ts'
import { ExpressionError } from '../../../read/expression/parse-expression.ts'
import { placeAt } from '../../../read/expression/place-in-expression.ts'
import { existingCustomFields, NOT_COMPUTABLE, unknownCustomField } from '../../../read/expression/try-expressions.ts'
import { T } from '../../../read/query/alias.ts'
import { columnOf } from '../../../read/query/column.ts'
import { compileOrder } from '../../../read/query/order.ts'
import { applyRowSecurity } from '../../../read/query/row-security.ts'
import { selectSlice } from '../../../read/query/slice.ts'
import { DERIVED, orNull } from '../../../read/serialise/value-text.ts'
import { nameAsWords } from '../../../schema/fields/kind.ts'
import { isJsonObject, type Json } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { jsonResponse } from '../../response.ts'
import { ANY_OBJECT, action, listOf, schema } from '../action.ts'

/** Maximum number of objects whose values are shown. */
const MOST_VALUES = 3
/** Milliseconds after which the values are given up: a person is typing. */
const TIME_LIMIT = 2_000

/**
 * The type of an expression and its values for some objects, or its error; with a `position`, the names that fit there.
 * Throws `invalid` for parameters of another form.
 */
export async function checkedExpression(request: ApiRequest, parameters: Readonly<Record<string, unknown>>) {
  const { service, actor } = request
  const { object_type: type, expression, position, object_id: objectId } = parameters
  const model = typeof type === 'string' ? service.registry.models.get(type) : undefined
  if (!model || model.path === '') throw invalid({ object_type: [`There is no object type ${String(type ?? '')}.`] })
  if (typeof expression !== 'string' || expression.length > LONGEST_EXPRESSION) {
    throw invalid({ expression: [`Expected a text of at most ${LONGEST_EXPRESSION} characters.`] })
  }
  const at = wholeNumber({ position }, expression.length)
  const id = wholeNumber({ object_id: objectId }, Number.MAX_SAFE_INTEGER)
  const mayView: MayView = (viewed) => mayAct(actor, 'view', viewed, service.settings)
  const suggestions = at === undefined ? null : await suggestionsAt(request, model, { expression, at, mayView })
  try {
    const compiled = compileExpression(model, expression, mayView)
    const unknown = await unknownCustomField(existingCustomFields(service.database), [compiled])
    if (unknown !== undefined) throw new ExpressionError(unknown, expression.indexOf('cf.'))
    const values = await valuesFor(request, model, compiled, id)
    return { valid: true, type: compiled.type, error: null, values, suggestions }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const place = { message: error.problem, position: error.at }
    return { valid: false, type: null, error: place, values: [], suggestions }
  }
}

function wholeNumber(parameter: Readonly<Record<string, unknown>>, most: number): number | undefined {
  const [[name, value] = ['']] = Object.entries(parameter)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value
  throw invalid({ [name]: [`Expected a whole number from 0 to ${most}.`] })
}

/** Values for one object, or for the first ones that the sender may view; null if that takes too long. */
async function valuesFor(
  { service, actor }: ApiRequest,
  model: Model,
  { type, sql: compute }: CompiledExpression,
  objectId: number | undefined,
): Promise<readonly { readonly id: number; readonly display: string; readonly value: Json }[] | null> {
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const order = compileOrder(service, model, undefined, security.visibleRows)
  const column = columnOf(model, T)
  const slice = (where: Sql | undefined, select: Sql) =>
    applyRowSecurity(security, selectSlice(model, { where, order, window: { limit: MOST_VALUES, offset: 0 } }, select))
  const isObject = objectId === undefined ? undefined : sql`t.id = ${objectId}::bigint`
  try {
    return await service.database.rollBack(async (transaction) => {
      await limitTime(transaction, TIME_LIMIT)
      // Ids first, so that the expression is computed only for the objects that are shown.
      const ids = await transaction.queryColumn(slice(isObject, sql`t.id`))
      if (objectId !== undefined && ids.length === 0) throw invalid({ object_id: ['There is no such object.'] })
      const rows = await transaction.query<{ id: number; display: string; value: string | number | boolean | null }>(
        slice(
          sql`t.id = any(${ids}::bigint[])`,
          sql`t.id, ${column('display')} as display, ${compute(column)} as value`,
        ),
      )
      return rows.map((row) => ({ ...row, value: JSON.parse(orNull(DERIVED[type])(row.value)) as Json }))
    })
  } catch (error) {
    if (isTimeout(error)) return null
    if (error instanceof StatementFailed) throw new ExpressionError(NOT_COMPUTABLE, 0)
    throw error
  }
}

interface Suggestion {
  readonly name: string
  readonly kind: 'field' | 'relation' | 'objects' | 'function' | 'custom_fields'
  readonly type: string | null
  readonly object_type: string | null
  readonly label: string
  readonly help: string
}

/**
 * The names that fit at the cursor. Names that begin with the word before it come first, then those with another word
 * that does.
 */
async function suggestionsAt(
  { service }: ApiRequest,
  model: Model,
  { expression, at, mayView }: { readonly expression: string; readonly at: number; readonly mayView: MayView },
) {
  const place = placeAt(expression, at)
  const fitting = place && fittingAt(model, place, mayView)
  if (!fitting) return null
  const { model: here, names: readable, hasFunctions, hasCustomFields } = fitting
  const fields = hasCustomFields
    ? await service.database.query<{ name: string; label: string }>(sql`
        select f.name, f.label from ${table(SYSTEM.customField)} f where ${here.name} = any(f.object_types)
        order by f.weight, f.name`)
    : []
  const names: readonly Suggestion[] = [
    ...fields.map(({ name, label }) => suggestion(name, 'field', { type: 'text', label })),
    ...readable.map(({ name, type, to }) => {
      if (name === 'cf') return suggestion(name, 'custom_fields', { label: 'Custom fields' })
      const label = type === undefined && to ? nameAsWords(to.definition.labels[1]) : labelOf(here, name)
      const kind = to ? (type === undefined ? 'objects' : 'relation') : 'field'
      return suggestion(name, kind, { type: type ?? null, object_type: to?.name ?? null, label })
    }),
    ...(hasFunctions ? Object.entries(FUNCTION_HELP) : []).map(([name, [takes, help]]) =>
      suggestion(name, 'function', { label: `${name}(${takes})`, help }),
    ),
  ]
  const word = place.word.toLowerCase()
  const first = names.filter(({ name }) => name.toLowerCase().startsWith(word))
  const later = names.filter((name) => !first.includes(name) && name.name.toLowerCase().includes(`_${word}`))
  return { start: place.start, end: place.end, names: [...first, ...later] }
}

const suggestion = (name: string, kind: Suggestion['kind'], more: Partial<Suggestion>): Suggestion => ({
  ...{ name, kind, type: null, object_type: null, help: '', ...more },
  label: more.label || nameAsWords(name),
})

const labelOf = ({ fields }: Model, name: string): string => {
  if (name === 'id') return 'ID'
  const field = fields.get(name)
  return (field && 'label' in field ? field.label : undefined) ?? ''
}

const TEXT = { type: 'string' } as const
const ID = { type: 'integer', format: 'int64' } as const
const POSITION = { type: 'integer', minimum: 0 } as const
const objectOf = (properties: Readonly<Record<string, Json>>) => ({
  ...{ type: 'object', required: Object.keys(properties), properties },
})

/** POST: the type and some values of an expression, or its error, and the names that fit at the cursor. */
export const checkExpressionAction = action({
  path: 'extras/computed-fields/check',
  title: 'Expression Check',
  description: 'Checks the expression of a computed field while it is being written. Changes nothing.',
  hasNoHistory: true,
  methods: {
    POST: {
      permission: { view: SYSTEM.computedField },
      isReading: true,
      takesReadingTokens: true,
      summary: 'Check an expression, with values and with names that fit at a position',
      verb: 'check',
      body: {
        type: 'object',
        required: ['object_type', 'expression'],
        properties: { object_type: TEXT, expression: TEXT, position: POSITION, object_id: ID },
      },
      answer: schema('ExpressionCheck'),
      handle: async (request) => {
        const body = await request.body.read()
        return jsonResponse(200, await checkedExpression(request, isJsonObject(body) ? body : {}))
      },
    },
  },
  schemas: {
    ExpressionCheck: objectOf({
      valid: { type: 'boolean' },
      type: { ...TEXT, nullable: true },
      error: { ...objectOf({ message: TEXT, position: POSITION }), nullable: true },
      values: { ...listOf(objectOf({ id: ID, display: TEXT, value: { nullable: true } })), nullable: true },
      suggestions: { ...objectOf({ start: POSITION, end: POSITION, names: listOf(ANY_OBJECT) }), nullable: true },
    }),
  },
})

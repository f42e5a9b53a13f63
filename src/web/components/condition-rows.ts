import type { FormValues } from '../../api/transport/body.ts'
import { isJsonObject, type Json, parseJson } from '../../schema/json.ts'
import { type Html, html } from '../html.ts'
import { type Text, translate } from '../texts/translate.ts'

// Conditions of event rules as rows of field, operator and value. Nested conditions can only be edited as JSON.

/** One condition as texts of a form. */
interface ConditionRow {
  readonly attr: string
  /** An operator; `!eq` is its negation. */
  readonly op: string
  readonly value: string
}

interface Conditions {
  readonly isAny: boolean
  readonly rows: readonly ConditionRow[]
}

const OPERATORS: Readonly<Record<string, Text>> = {
  eq: 'is',
  '!eq': 'is not',
  contains: 'contains',
  '!contains': 'does not contain',
  in: 'is one of',
  '!in': 'is none of',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  regex: 'matches',
  changed: 'has changed',
  unchanged: 'has not changed',
}

/** Operators without a value. */
const OF_CHANGES: ReadonlySet<string> = new Set(['changed', 'unchanged'])

/** Empty rows below those with a condition. */
const SPARE = 2

/** The conditions of this JSON text as rows, and the text itself, folded; only the text if rows cannot express it. */
export function conditionRows(name: string, text: string, common: Html): Html {
  const area = html`<textarea ${common} rows="4" spellcheck="false">
${text}</textarea>`
  const conditions = conditionsIn(text)
  if (!conditions) return area
  const part = (key: string): string => `${name}.${key}`
  const rows = [...conditions.rows, ...Array.from({ length: SPARE }, () => ({ attr: '', op: 'eq', value: '' }))]
  return html`<div class="conditions"><input type="hidden" name="${part('shown')}" value="${textOfRows(conditions)}">
<select name="${part('match')}" aria-label="${translate('How many must be met')}"><option value="and">${translate('All of these')}</option><option value="or"${conditions.isAny && html` selected`}>${translate('Any of these')}</option></select>
${rows.map(
  ({ attr, op, value }) =>
    html`<div class="condition"><input name="${part('attr')}" value="${attr}" aria-label="${translate('Field')}" placeholder="${translate('Field')}" autocomplete="off" autocapitalize="none" spellcheck="false"><select name="${part('op')}" aria-label="${translate('Operator')}">${Object.entries(OPERATORS).map(([key, label]) => html`<option value="${key}"${key === op && html` selected`}>${translate(label)}</option>`)}</select><input name="${part('value')}" value="${value}" aria-label="${translate('Value')}" placeholder="${translate('Value')}" autocomplete="off"></div>`,
)}
<details><summary>JSON</summary>${area}</details></div>`
}

/** The JSON text of the conditions of a form if their rows differ from those that were shown; otherwise undefined. */
export function editedConditions(name: string, form: FormValues): string | undefined {
  const [initial] = textsAt(form, `${name}.shown`)
  if (initial === undefined) return undefined
  const [ops, values] = [textsAt(form, `${name}.op`), textsAt(form, `${name}.value`)]
  const rows = textsAt(form, `${name}.attr`).flatMap((attr, index): ConditionRow[] =>
    attr.trim() === '' ? [] : [{ attr: attr.trim(), op: ops[index] ?? 'eq', value: values[index] ?? '' }],
  )
  const edited = { isAny: textsAt(form, `${name}.match`)[0] === 'or', rows }
  return textOfRows(edited) === initial ? undefined : jsonOf(edited)
}

/** The rows as text of a form, to be compared. */
const textOfRows = ({ isAny, rows }: Conditions): string =>
  JSON.stringify([rows.length > 0 && isAny, rows.map(({ attr, op, value }) => [attr, op, value])])

const textsAt = (form: FormValues, name: string): readonly string[] =>
  (form.get(name) ?? []).filter((text) => typeof text === 'string')

/** The conditions of the rows as JSON; empty without rows. */
function jsonOf({ isAny, rows }: Conditions): string {
  const conditions = rows.map(({ attr, op, value }): Json => {
    const [, not, operator = ''] = /^(!?)(.*)$/.exec(op) ?? []
    return {
      attr,
      ...(!OF_CHANGES.has(operator) && { value: enteredValue(value, operator) }),
      ...(operator !== 'eq' && { op: operator }),
      ...(not && { negate: true }),
    }
  })
  return rows.length === 0 ? '' : JSON.stringify({ [isAny ? 'or' : 'and']: conditions }, null, 2)
}

/** A number, a truth value, null or a list if the text is one in JSON; otherwise the text itself. */
function enteredValue(text: string, operator: string): Json {
  const isList = operator === 'in' && !text.trim().startsWith('[')
  if (isList) return text.split(',').map((item) => scalarOf(item.trim()))
  return scalarOf(text)
}

function scalarOf(text: string): Json {
  try {
    const value = parseJson(text) as Json // what JSON text stands for
    return isJsonObject(value) ? text : value
  } catch {
    return text
  }
}

/** The rows of a document; undefined if rows cannot express it. */
function conditionsIn(text: string): Conditions | undefined {
  if (text.trim() === '') return { isAny: false, rows: [] }
  try {
    const document = parseJson(text) as Json // what JSON text stands for
    if (!isJsonObject(document)) return undefined
    const [name = '', ...others] = Object.keys(document)
    const isLogic = others.length === 0 && /^(and|or)$/i.test(name)
    const list = isLogic ? document[name] : [document]
    const rows = Array.isArray(list) ? list.map(rowOf) : []
    const complete = rows.flatMap((row) => row ?? [])
    if (complete.length === 0 || complete.length < rows.length) return undefined
    return { isAny: name.toLowerCase() === 'or', rows: complete }
  } catch {
    return undefined
  }
}

function rowOf(condition: Json): ConditionRow | undefined {
  if (!isJsonObject(condition) || typeof condition.attr !== 'string') return undefined
  const { attr, value, op = 'eq', negate = false } = condition
  const operator = `${negate === true ? '!' : ''}${String(op)}`
  if (!Object.hasOwn(OPERATORS, operator) || isJsonObject(value)) return undefined
  if (value === undefined) return OF_CHANGES.has(operator) ? { attr, op: operator, value: '' } : undefined
  const row = { attr, op: operator, value: textOf(value) }
  // A text such as "5" is no number; a row that would change its value is none.
  return JSON.stringify(enteredValue(row.value, String(op))) === JSON.stringify(value) ? row : undefined
}

function textOf(value: Json): string {
  if (typeof value === 'string') return typeof scalarOf(value) === 'string' ? value : JSON.stringify(value)
  return Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value)
}

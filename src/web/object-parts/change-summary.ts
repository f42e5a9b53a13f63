import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { shownNoun, shownPluralNoun, shownTitle } from '../components/model-title.ts'
import { type DisplayOptions, linkToObject } from '../components/value.ts'
import type { ChangeKind } from '../data/change-groups.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Text, translate } from '../texts/translate.ts'
import { type ChangedField, fieldChanges, foldedFields, rawChanges } from './field-changes.ts'

/** Kinds of changes that a sentence names. */
const MOST_KINDS = 3
/** Rows of a table of changes, and names of objects in a row. */
const MOST_ROWS = 50
const MOST_NAMES = 100

const SENTENCES = {
  create: '{count} {objects} created',
  update: '{count} {objects} updated',
  rename: '{count} {objects} renamed',
  delete: '{count} {objects} deleted',
} as const satisfies Readonly<Record<string, Text>>

/**
 * The changes of a request in words: `50 interfaces renamed`, or `1 device created, 48 interfaces created`. `records`:
 * the changes, if the caller has read them.
 */
export function sentenceOfChanges(
  registry: Registry,
  kinds: readonly ChangeKind[],
  records: readonly JsonObject[] = [],
): string {
  const [first, ...others] = kinds
  const isRename =
    first?.action === 'update' &&
    others.length === 0 &&
    records.length === first.count &&
    records.every((record) => [...rawChanges(registry, record).keys()].join() === 'name')
  const parts = kinds.slice(0, MOST_KINDS).map(({ type, action, count }) => {
    const sentence = SENTENCES[isRename ? 'rename' : (action as keyof typeof SENTENCES)] // by the API
    return translate(sentence, { count, objects: objectsOf(registry, type, count) })
  })
  const more = kinds.slice(MOST_KINDS).reduce((sum, { count }) => sum + count, 0)
  return [...parts, ...(more > 0 ? [translate('{count} more', { count: more })] : [])].join(', ')
}

/** The noun for this number of objects of the type. */
function objectsOf(registry: Registry, type: string, count: number): string {
  const model = registry.models.get(type)
  return model ? (count === 1 ? shownNoun(model) : shownPluralNoun(model)) : type
}

/** The name of the action in a table: what has happened, or what will. */
type Verbs = Readonly<Record<string, Text>>

const HAPPENED: Verbs = { create: 'Created', update: 'Updated', delete: 'Deleted' }

/**
 * Changes as a table, in which equal changes of several objects share a row, and so do all creations and all deletions
 * of the objects of a model. It has at most 50 rows; `total`: number of all changes, if these are only some of them.
 */
export async function changeTable(
  request: ApiRequest,
  records: readonly JsonObject[],
  { verbs = HAPPENED, total = records.length }: { readonly verbs?: Verbs; readonly total?: number } = {},
): Promise<Html> {
  const { registry } = request.service
  const rows = [...Map.groupBy(records, (record) => keyOf(registry, record)).values()]
  const visible = rows.slice(0, MOST_ROWS)
  const fields = await fieldChanges(
    request,
    visible.map(([first]) => first).filter((record) => record !== undefined),
  )
  const options = await displayOptionsOf(
    request,
    visible.flatMap((row) => row.slice(0, MOST_NAMES).flatMap(({ changed_object: object }) => object ?? [])),
  )
  const more = total - visible.reduce((sum, row) => sum + row.length, 0)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Changed objects')}"><table class="diff change-table"><thead><tr><th scope="col">${translate('Object')}</th><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('After')}</th></tr></thead>
${visible.map((row) => rowOf(registry, row, fields.get(Number(row[0]?.id)) ?? [], options, verbs))}</table></div>
${more > 0 && html`<p class="muted">${translate('and {count} more change|and {count} more changes', { count: more })}</p>`}`
}

const keyOf = (registry: Registry, record: JsonObject): string => {
  const kind = `${record.changed_object_type} ${actionOf(record)}`
  return actionOf(record) === 'update' ? `${kind} ${JSON.stringify([...rawChanges(registry, record)])}` : kind
}

const actionOf = ({ action }: JsonObject): string => String(isJsonObject(action) ? action.value : action)

/** The rows of the fields of a change, beside the objects that it concerns. */
function rowOf(
  registry: Registry,
  records: readonly JsonObject[],
  fields: readonly ChangedField[],
  options: DisplayOptions,
  verbs: Verbs,
): Content {
  const [first] = records
  if (!first) return undefined
  const action = actionOf(first)
  const [firstField, ...others] = action === 'update' ? fields : []
  const cells = (field: ChangedField | undefined): Content =>
    field === undefined
      ? html`<td colspan="3">${records.length === 1 && foldedFields(fields)}</td>`
      : html`<td>${field.label}</td><td class="before" data-label="${translate('Before')}">${field.before}</td><td class="after" data-label="${translate('After')}">${field.after}</td>`
  const verb = html`<strong>${translate(verbs[action] ?? 'Updated')}</strong>`
  return html`<tbody><tr><th scope="row" rowspan="${others.length + 1}">${verb} ${objectsIn(registry, records, options)}</th>${cells(firstField)}</tr>${others.map((field) => html`<tr>${cells(field)}</tr>`)}</tbody>`
}

/** The object of a change, or the number of objects with their names folded. */
function objectsIn(registry: Registry, records: readonly JsonObject[], options: DisplayOptions): Content {
  const [first] = records
  const type = String(first?.changed_object_type)
  if (first && records.length === 1) {
    const model = registry.models.get(type)
    return html`<span class="muted">${model ? shownTitle(model) : type}</span> ${nameIn(first, options)}`
  }
  const count = records.length
  const names = records.slice(0, MOST_NAMES)
  return html`<details><summary>${translate('{count} {objects}', { count, objects: objectsOf(registry, type, count) })}</summary>${names.map((record, index) => html`${index > 0 && ', '}${nameIn(record, options)}`)}${count > names.length && html` ${translate('and {count} more', { count: count - names.length })}`}</details>`
}

const nameIn = ({ changed_object: object, object_repr: name }: JsonObject, options: DisplayOptions): Html =>
  isJsonObject(object) ? linkToObject(object, options) : html`<bdi>${String(name)}</bdi>`

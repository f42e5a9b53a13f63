import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { searchOf } from '../../read/groups/conditions.ts'
import { countRows } from '../../read/query/count.ts'
import { type JsonObject, stringsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { modelOptions, shownPlural } from '../components/model-title.ts'
import { numberInOption, type WidgetKind } from '../frame/widget.ts'
import { type Content, html } from '../html.ts'
import { listRows } from '../object-parts/change-rows.ts'
import { numeral, translate } from '../texts/translate.ts'

/** The models with these names of which the sender may view objects. */
const visibleModels = ({ service, actor }: ApiRequest, names: readonly string[]): Model[] =>
  names.flatMap((name) => {
    const model = service.registry.models.get(name)
    return model && pagePathOf(model) !== undefined && mayAct(actor, 'view', model, service.settings) ? [model] : []
  })

/** Numbers of the objects of some models that the viewer may see. */
export const OBJECT_COUNTS: WidgetKind = {
  label: 'Object counts',
  help: 'Numbers of objects, with links to their lists',
  width: 4,
  controls: (request, { models, hide_empty }) => [
    {
      name: 'models',
      label: translate('Kinds of objects'),
      isRequired: true,
      input: {
        kind: 'choices',
        options: modelOptions(request.service.registry),
        chosen: stringsIn(models),
        empty: '',
      },
      sentAs: 'words',
    },
    {
      name: 'hide_empty',
      label: translate('Leave out types without objects'),
      input: { kind: 'checkbox', isChecked: hide_empty === true },
      sentAs: 'boolean',
    },
  ],
  configOf: (texts) => ({
    models: texts('models').filter((name) => name !== ''),
    hide_empty: texts('hide_empty').length > 0,
  }),
  content: async (request, { models, hide_empty }) => {
    const { registry, settings } = request.service
    const security = rowSecurityOf(request.actor, registry, settings)
    const counts = await Promise.all(
      visibleModels(request, stringsIn(models)).map(async (model) => ({
        model,
        // Counts of whole tables are cached until the table changes.
        count: await countRows(request.service, model, { security }),
      })),
    )
    const listed = counts.filter(({ count }) => count > 0 || hide_empty !== true)
    if (listed.length === 0) return undefined
    return html`<ul class="counts">${listed.map(
      ({ model, count }) =>
        html`<li><a href="${settings.basePath}${pagePathOf(model)}">${shownPlural(model)}</a> <span class="count">${numeral(count)}</span></li>`,
    )}</ul>`
  },
}

const LIST_LENGTH = 10
const LONGEST_LIST = 100
/** Maximum number of columns of a list in a widget; the list itself has the others. */
const LIST_COLUMNS = 5

/** The first objects of a list with filters. */
export const OBJECT_LIST: WidgetKind = {
  label: 'Object list',
  help: 'The first objects of a list, with filters and order',
  width: 12,
  controls: (request, { model, page_size, url_params }) => [
    {
      name: 'model',
      label: translate('Kind of objects'),
      isRequired: true,
      input: {
        kind: 'select',
        options: modelOptions(request.service.registry),
        chosen: [String(model ?? '')],
      },
    },
    numberControl('page_size', page_size, LIST_LENGTH),
    {
      name: 'url_params',
      label: translate('Filters and order'),
      help: translate('As in the URL of the list: status=active&ordering=-created'),
      input: { kind: 'text', type: 'text', value: searchOf(url_params).toString() },
    },
  ],
  configOf: (texts) => ({
    model: texts('model').at(-1) ?? '',
    page_size: numberInOption(texts('page_size').at(-1), LIST_LENGTH, LONGEST_LIST),
    url_params: parametersOf(new URLSearchParams(texts('url_params').at(-1)?.trim() ?? '')),
  }),
  content: async (request, { model: name, page_size, url_params }) => {
    const [model] = visibleModels(request, [String(name ?? '')])
    if (!model) return undefined
    const query = searchOf(url_params)
    const address = `${request.service.settings.basePath}${pagePathOf(model)}?${query}`
    query.set('limit', String(numberInOption(page_size, LIST_LENGTH, LONGEST_LIST)))
    const { table, objects, count } = await listRows(request, model, {
      query,
      columns: request.service.registry.view(model).columns.slice(0, LIST_COLUMNS),
      label: shownPlural(model),
    })
    const all = html`<p class="all"><a href="${address}">${translate('Show all {count}', { count })}</a></p>`
    return listOrNothing(objects.length === 0, html`${table}${all}`)
  },
}

/** A control for the number of objects that a widget lists. */
export const numberControl = (name: string, value: unknown, fallback: number): Control => ({
  name,
  label: translate('Number of objects'),
  input: { kind: 'text', type: 'number', value: String(value ?? fallback) },
  sentAs: 'number',
})

const parametersOf = (query: URLSearchParams): JsonObject =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))

/** The content; nothing if the list is empty. */
export const listOrNothing = (isEmpty: boolean, table: Content): Content => (isEmpty ? undefined : table)

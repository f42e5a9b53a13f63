import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isOrderable } from '../../read/query/order.ts'
import { parseWindow } from '../../read/query/window.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { controlField, type Option } from '../components/control.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { pager } from '../components/pager.ts'
import { filterControls } from '../forms/fields/filter-controls.ts'
import { FORM_MARK } from '../forms/fields/filter-redirect.ts'
import { humanize } from '../forms/fields/humanize.ts'
import { splitLookup } from '../forms/fields/lookup-labels.ts'
import { linkTo, shortValue } from './short-value.ts'

/** Parameters with their own form fields, or that would skip past the new result. */
const NOT_KEPT: ReadonlySet<string> = new Set(['q', 'ordering', 'limit', 'offset', 'start'])
/** Parameters that select the fields of objects; they stay when filters change. */
const KEPT: readonly string[] = ['brief', 'fields', 'omit', 'exclude', 'format']
const SIZES = [25, 50, 100, 250, 1000]

/** Controls above a collection's response: its filters, a table of its objects, links to other pages. */
export async function listControls(request: ApiRequest, model: Model, response: Json | undefined): Promise<Content> {
  const { search, service } = request
  const window = refusable(() => parseWindow(search, service.settings))
  const form = await filterForm(request, model, window?.limit)
  if (!isJsonObject(response) || !Array.isArray(response.results)) return form
  const objects = response.results.filter((each) => isJsonObject(each))
  const extent = pager({
    count: typeof response.count === 'number' ? response.count : null,
    offset: window?.offset ?? 0,
    length: objects.length,
    previous: textOf(response.previous),
    next: textOf(response.next),
  })
  return html`${form}${extent}${objects.length > 0 && resultsTable(columnsOf(model, objects), objects)}${response.next !== null && extent}`
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** The result of `parse`; undefined for invalid pagination, which the response already reports. */
function refusable<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

function usesOf({ search, url }: ApiRequest): { label: string; without: string }[] {
  const pairs = [...search]
  return pairs.flatMap(([name, value], index) => {
    if (value === '' || KEPT.includes(name) || (NOT_KEPT.has(name) && name !== 'q')) return []
    const others = pairs.filter(([other], place) => place !== index && other !== 'offset')
    const query = new URLSearchParams(others).toString()
    const [base, lookup = 'is'] = splitLookup(name)
    const label = `${humanize(base)} ${lookup} ${value}`
    return [{ label, without: `${url.pathname}${query === '' ? '' : `?${query}`}` }]
  })
}

function orderingsOf(registry: Registry, model: Model) {
  return model.answer
    .filter((name) => isOrderable(registry, model, name))
    .flatMap((name) => [
      { value: name, label: `${humanize(name)} ↑` },
      { value: `-${name}`, label: `${humanize(name)} ↓` },
    ])
}

const MOST_CHOICES = 2
const MOST_OTHERS = 5

/**
 * Columns that help to distinguish objects of a model: choices, relations, and the fields of the brief form. Columns
 * that would be empty or repeat the display name are left out.
 */
function columnsOf(model: Model, objects: readonly JsonObject[]): readonly TableColumn[] {
  const { brief } = model.definition
  const names = model.answer.filter((name) => {
    const kind = model.fields.get(name)?.kind
    if (!kind || name === 'owner' || name === 'slug' || name === 'description') return false
    return kind === 'choice' || kind === 'foreignKey' || brief.includes(name)
  })
  const telling = names.filter((name) =>
    objects.some((object) => !isEmpty(object[name]) && object[name] !== object.display),
  )
  const isChoice = (name: string) => model.fields.get(name)?.kind === 'choice'
  const shown = [
    ...telling.filter((name) => !isChoice(name)).slice(0, MOST_OTHERS),
    ...telling.filter(isChoice).slice(0, MOST_CHOICES),
  ]
  return [...shown, 'description']
    .filter((name) => objects.some((object) => !isEmpty(object[name])))
    .map((name) => ({ name, label: humanize(name) }))
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** Filters and order of a collection: search and order are visible, all other filters can be expanded. */
async function filterForm(request: ApiRequest, model: Model, size: number | undefined): Promise<Html> {
  const { search, url, service } = request
  const action = url.pathname
  const { main, more } = await filterControls(service, model, search)
  const kept = KEPT.flatMap((name) => search.getAll(name).map((value) => [name, value] as const))
  const ordering = lastValue(search, 'ordering') ?? ''
  const sizes = SIZES.filter((each) => each <= (service.settings.maxPageSize || Infinity))
  const uses = usesOf(request)
  return html`<form class="filters" method="get" action="${action}" role="search" aria-label="Filters">
${[[FORM_MARK, '1'] as const, ...kept].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="bar">
${model.definition.search && html`<label class="grow"><span class="visually-hidden">Search</span><input type="search" name="q" value="${lastValue(search, 'q') ?? ''}" placeholder="Search…" autocomplete="off"></label>`}
<label>Order <select name="ordering"><option value="">As usual</option>${orderingsOf(service.registry, model).map((each) => option(each, ordering))}</select></label>
<label>Per page <select name="limit">${sizes.map((each) => option({ value: String(each), label: String(each) }, String(size ?? '')))}</select></label>
<button>Show</button>
</div>
<details class="more"><summary>Filters <span class="muted">${main.length + more.length}</span></summary>
<div class="fields">${main.map((control, index) => controlField(control, `filter${index}`))}</div>
${more.length > 0 && html`<details class="more"><summary>More filters</summary><div class="fields">${more.map((control, index) => controlField(control, `more${index}`))}</div></details>`}
<div class="buttons"><button>Show</button></div>
</details>
</form>
${
  uses.length > 0 &&
  html`<p class="uses">
${uses.map(({ label, without }) => html`<a class="use" href="${without}" title="Remove this filter">${label} <span aria-hidden="true">×</span></a>\n`)}
<a href="${action}">Remove all</a></p>`
}`
}

const option = ({ value, label }: Option, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`

/** A column of a list of objects. */
interface TableColumn {
  readonly name: string
  readonly label: string
}

/** Objects of a response as rows, each starting with its display name. */
function resultsTable(columns: readonly TableColumn[], objects: readonly JsonObject[]): Html {
  return html`<div class="scroll results" tabindex="0" role="region" aria-label="Objects"><table>
<thead><tr><th scope="col">Object</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${objects.map(
    (object) =>
      html`<tr><th scope="row">${linkTo(object) ?? shortValue(object.id)}</th>${columns.map(
        ({ name }) => html`<td>${shortValue(object[name])}</td>`,
      )}</tr>\n`,
  )}</tbody>
</table></div>`
}

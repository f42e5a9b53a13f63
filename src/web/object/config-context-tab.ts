import { contextSources } from '../../api/actions/extras/context-sources.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { panel } from '../components/panel.ts'
import { linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import type { ObjectTab, RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { comparisonTable, stateForm } from './comparison-table.ts'
import { comparedTime, earlierRequest, earlierTimeControl } from './earlier-state.ts'

/** The merged data, and the context from which each value comes. */
export const configContextTab: ObjectTab = {
  models: ({ fields }) => fields.has('config_context'),
  path: 'config-context',
  group: 'Configuration',
  label: () => translate('Config context'),
  load: async ({ request, model, object }) => {
    const { service } = request
    const ids = await contextSources(service, model.name, Number(object.id))
    const contexts = service.registry.model(SYSTEM.configContext)
    const fields = ['id', 'url', 'display', 'weight', 'data']
    const visible = await visibleObjects(request, contexts, ids, fields)
    const content = html`${await valuesPanel(request, object, ids, visible)}
${panel(translate('Data'), documentBlock(object.config_context))}
${object.local_context_data !== null && panel(translate('Local context data'), documentBlock(object.local_context_data))}
${request.asOf === undefined && panel(translate('Compare'), await comparedData({ request, model, object }))}`
    return { content, styles: ['inputs.css', 'edit.css'] }
  },
}

const documentText = (data: Json | undefined): string => JSON.stringify(data ?? {}, null, 2)

const documentBlock = (data: Json | undefined): Content =>
  html`<pre class="document" tabindex="0">${documentText(data)}</pre>`

/** The form for a time, and the data of that time next to the present data. */
async function comparedData({ request, model, object }: RequestedObject): Promise<Content> {
  const earlier = await earlierRequest(request)
  const form = stateForm([earlierTimeControl(request, earlier)])
  if (comparedTime(request) === '' || typeof earlier === 'string') return form
  const query = new URLSearchParams({ id: String(object.id) })
  const [then] = (await readList(earlier, model, { query })).objects
  return html`${form}${
    then
      ? comparisonTable(documentText(then.config_context), documentText(object.config_context))
      : html`<p class="notice warn" role="status">${translate('The object did not exist then.')}</p>`
  }`
}

async function valuesPanel(
  request: ApiRequest,
  object: JsonObject,
  ids: readonly number[],
  visible: ReadonlyMap<number, JsonObject>,
): Promise<Content> {
  const options = await displayOptionsOf(request, [])
  const rows = leavesOf(object.config_context)
  if (rows.length === 0) return html`<p class="notice">${translate('No config context applies.')}</p>`
  const sources = ids.toReversed().map((id) => visible.get(id))
  const sourceOf = (path: readonly string[]): Content => {
    if (hasPath(object.local_context_data, path)) return translate('Local context data')
    const source = sources.find((source) => source && hasPath(source.data, path))
    return source
      ? html`${linkToObject(source, options)} <span class="muted">${translate('Weight {weight}', { weight: String(source.weight) })}</span>`
      : html`<span class="muted">${translate('A context that you may not view')}</span>`
  }
  return panel(
    translate('Values'),
    html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Values of the config context')}"><table><thead><tr><th scope="col">${translate('Key')}</th><th scope="col">${translate('Value')}</th><th scope="col">${translate('From')}</th></tr></thead>
<tbody>${rows.map(
      ({ path, value }) =>
        html`<tr><th scope="row"><code>${path.join('.')}</code></th><td><code>${JSON.stringify(value)}</code></td><td>${sourceOf(path)}</td></tr>`,
    )}</tbody></table></div>`,
  )
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: Json
}

/** The values that are not merged any further, by their path. */
function leavesOf(value: Json | undefined, path: readonly string[] = []): readonly Leaf[] {
  if (!isJsonObject(value) || (path.length > 0 && Object.keys(value).length === 0))
    return value === undefined ? [] : [{ path, value }]
  return Object.entries(value).flatMap(([name, nested]) => leavesOf(nested, [...path, name]))
}

function hasPath(value: Json | undefined, [name, ...remaining]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined
  return isJsonObject(value) && name in value && hasPath(value[name], remaining)
}

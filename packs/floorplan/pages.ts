/** The drawing of a floor plan on its page, with an editor, and on the pages of its site or location. */
import { type ApiRequest, type Model, mayAct, pagePathOf, readerOf, sql, table } from 'cadastre'
import {
  type Content,
  choicesOf,
  html,
  type ObjectPart,
  type ObjectTab,
  packPages,
  translate,
  translateLabel,
} from 'cadastre/web'
import { drawingOf, PLAN, type Plan, readPlan, TILE } from './drawing.ts'

/** The drawing at the top of the page of a plan. */
const drawing: ObjectPart = {
  models: [PLAN],
  load: async ({ request, object }) => ({
    top: await planContent(request, Number(object.id)),
    styles: ['floorplan.css'],
    scripts: ['floorplan.client.ts'],
  }),
}

async function planContent(request: ApiRequest, id: number): Promise<Content> {
  const plan = await readPlan(request, id)
  const { registry, settings } = request.service
  const tile = registry.model(TILE)
  const mayEdit = (['add', 'change', 'delete'] as const).every((action) =>
    mayAct(request.actor, action, tile, settings),
  )
  return html`<section class="card plan"${mayEdit && html` data-plan="${id}" data-tiles="${JSON.stringify(plan.tiles)}"`}>${
    mayEdit && toolbar(tile, `${settings.basePath}${pagePathOf(tile)}`)
  }${drawingOf(plan)}${tileList(request, plan)}</section>`
}

/** Fields of a tile that the editor changes, with their labels. */
const FIELDS = { label: 'Label', x: 'X', y: 'Y', width: 'Width', height: 'Height' }

/** Shown by the script, without which it does nothing. `path`: of the pages of tiles. */
const toolbar = (tile: Model, path: string): Content => html`<div class="plan-tools" hidden>
<label>${translate('Add')} <select data-add><option value="">…</option>${choicesOf(tile.fields.get('kind')).map(
  ({ value, label }) => html`<option value="${value}">${translateLabel(label)}</option>`,
)}</select></label>
${Object.entries(FIELDS).map(
  ([name, label]) =>
    html`<label>${translateLabel(label)} <input data-field="${name}" ${name === 'label' ? html`maxlength="100"` : html`type="number" step="0.1" min="0"`} disabled></label>`,
)}
<button type="button" class="quiet" data-command="rotate">${translate('Rotate')}</button>
<button type="button" class="quiet" data-command="remove">${translate('Remove')}</button>
<a class="button quiet" data-form="${path}" hidden>${translate('Edit')}</a>
<button type="button" class="quiet" data-command="undo">${translate('Undo')}</button>
<button type="button" class="quiet" data-command="redo">${translate('Redo')}</button>
<button type="button" data-command="save" disabled>${translate('Save')}</button>
<output role="status"></output>
<p class="muted">${translate('Arrow keys move the selected tile, R rotates it, Delete removes it, Ctrl+Z undoes.')}</p>
</div>`

/** What is on the plan, for readers and for phones. */
function tileList({ service }: ApiRequest, { tiles }: Plan): Content {
  const path = `${service.settings.basePath}${pagePathOf(service.registry.model(TILE))}`
  if (tiles.length === 0) return undefined
  return html`<details><summary>${translate('{count} tile|{count} tiles', { count: tiles.length })}</summary><ul>${tiles.map(
    ({ id, kindLabel, label, link }) =>
      html`<li>${translateLabel(kindLabel)}: <a href="${path}${id}/"><bdi>${label === '' ? `#${id}` : label}</bdi></a>${
        link && html` → <a href="${link.page}"><bdi>${link.name}</bdi></a>`
      }${link?.ends?.map((end) => html` → <a href="${end.page}"><bdi>${end.name}</bdi></a>`)}</li>`,
  )}</ul></details>`
}

/** The plans of a site or location, one below the other. */
const tab: ObjectTab = {
  models: ['dcim.site', 'dcim.location'],
  path: 'floor-plans',
  label: () => translate('Floor plans'),
  list: (registry, { name }, { id }) => ({
    model: registry.model(PLAN),
    query: new URLSearchParams({ [name === 'dcim.site' ? 'site' : 'location']: String(id) }),
  }),
  isCounted: true,
  load: async ({ request, model, object }) => {
    const { registry, settings } = request.service
    const isSite = model.name === 'dcim.site'
    const place = isSite ? sql`p.site_id` : sql`p.location_id`
    const rows = await readerOf(request).rows<[id: number]>(
      sql`select p.id from ${table(PLAN)} p where ${place} = ${Number(object.id)}::bigint order by p.id limit 20`,
    )
    const plans = await Promise.all(rows.map(([id]) => readPlan(request, Number(id))))
    const path = `${settings.basePath}${pagePathOf(registry.model(PLAN))}`
    const mayAdd = mayAct(request.actor, 'add', registry.model(PLAN), settings)
    return {
      content: html`${plans.length === 0 && html`<p class="notice">${translate('There are no floor plans.')}</p>`}${plans.map(
        (plan) =>
          html`<section class="card plan"><h2><a href="${path}${plan.id}/"><bdi>${plan.name}</bdi></a></h2>${drawingOf(plan)}</section>`,
      )}${
        mayAdd &&
        html`<p><a class="button quiet" href="${path}add/?${isSite ? 'site' : 'location'}=${Number(object.id)}">${translate('Add a floor plan')}</a></p>`
      }`,
      styles: ['floorplan.css'],
    }
  },
}

export default packPages({ parts: [drawing], tabs: [tab] })

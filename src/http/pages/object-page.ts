import { type Content, html } from '../../pages/html.ts'
import { markdownView } from '../../pages/markdown.ts'
import { relatedPanel } from '../../pages/object/related-panel.ts'
import { panel } from '../../pages/objects/panel.ts'
import { momentDisplay, valueDisplay } from '../../pages/objects/value.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { displayOptionsOf } from './display-options.ts'
import { readOne } from './inner-request.ts'
import { actionButtons } from './object/action-buttons.ts'
import type { ApiRoutes } from './object/ask-api.ts'
import { attributePanel, type PanelObject } from './object/attribute-panels.ts'
import { childTables } from './object/child-tables.ts'
import { connectionPanels } from './object/connection-panels.ts'
import { countLists } from './object/count-lists.ts'
import { customFieldPanels } from './object/custom-field-panels.ts'
import { drawingsOf } from './object/drawings.ts'
import { modelPart } from './object/model-parts.ts'
import { objectFrame } from './object/object-frame.ts'
import { relatedLists } from './object/related-objects.ts'
import type { ModelPage } from './object/routes.ts'
import { valuesAt } from './path-values.ts'

/** GET of an object: its panels, what belongs to it, and the objects that refer to it. */
export const objectPage =
  (routes: ApiRoutes): ModelPage =>
  async (frame, request, model) => {
    const { object } = await readOne(request, model)
    const [shown, related, tables, drawings, own] = await Promise.all([
      shownObject(request, model, object),
      relatedObjects(request, model, object),
      childTables(request, model, object),
      drawingsOf(routes, request, model, object),
      modelPart(request, model, object),
    ])
    const { panels } = request.service.registry.view(model)
    const [first = [], ...others] = panels.map((groups) =>
      groups.map((group) => attributePanel(shown, group)),
    )
    const left = [...first, ...(await commonPanels(request, shown))]
    const right = [...connectionPanels(object, shown.around), ...others.flat(), drawings, related]
    const body = html`<div class="panels"><div>${left}</div><div>${right}</div></div>
${own}${tables}${footer(shown)}`
    const actions = actionButtons(routes, request, model, object)
    return await objectFrame(frame, request, model, object, {
      path: '',
      body,
      actions,
      styles: ['drawings.css'],
      scripts: ['copy.js'],
    })
  }

/** The object with everything that its panels show. */
async function shownObject(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<PanelObject> {
  const { registry } = request.service
  const paths = registry
    .view(model)
    .panels.flat()
    .flatMap(({ fields }) => fields)
  const values = await valuesAt(request, model, [object], paths)
  const far = [...values.values()].flatMap((each) => [...each.values()])
  const around = await displayOptionsOf(request, [object, ...far])
  return { registry, model, object, values, around }
}

/** Panels of every model: custom fields, tags, comments. */
async function commonPanels(
  { service }: ApiRequest,
  { model, object, around }: PanelObject,
): Promise<readonly Content[]> {
  const { tags, comments } = object
  const isTagged = Array.isArray(tags) && tags.length > 0
  return [
    ...(await customFieldPanels(service, model, object, around)),
    isTagged && panel('Tags', valueDisplay(model.fields.get('tags'), tags, around)),
    typeof comments === 'string' &&
      comments.trim() !== '' &&
      panel('Comments', markdownView(comments)),
  ]
}

async function relatedObjects(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<Content> {
  const lists = relatedLists(request, model, object)
  const counts = await countLists(request, lists)
  return relatedPanel(
    lists.flatMap((list) => {
      const count = counts.get(list) ?? 0
      return count === 0 ? [] : [{ ...list, count }]
    }),
  )
}

/** Owner, and times of the first and the latest save. */
function footer({ object, around }: PanelObject): Content {
  const { owner, created, last_updated: updated } = object
  const parts = [
    owner != null && html`<span>Owner: ${valueDisplay(undefined, owner, around)}</span>`,
    typeof created === 'string' && html`<span>Created ${momentDisplay(created)}</span>`,
    typeof updated === 'string' && html`<span>Last updated ${momentDisplay(updated)}</span>`,
  ].filter((each) => each !== false)
  return parts.length > 0 && html`<p class="saved muted">${parts}</p>`
}

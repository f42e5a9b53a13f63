import { type Content, html } from '../../pages/html.ts'
import { markdownView } from '../../pages/markdown.ts'
import { panel } from '../../pages/objects/panel.ts'
import { momentDisplay, valueDisplay } from '../../pages/objects/value.ts'
import { translateMarkup } from '../../pages/translate-markup.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { translate } from '../../texts/translate.ts'
import type { ApiRequest } from '../api-request.ts'
import { connectAction } from './cabling/connect-link.ts'
import { displayOptionsOf } from './display-options.ts'
import { readOne } from './inner-request.ts'
import { actionButtons } from './object/action-buttons.ts'
import type { ApiRoutes } from './object/ask-api.ts'
import { attributePanel, type PanelObject } from './object/attribute-panels.ts'
import { connectionPanels } from './object/connection-panels.ts'
import { customFieldPanels } from './object/custom-field-panels.ts'
import { drawingsOf } from './object/drawings.ts'
import { listedObjects } from './object/listed-objects.ts'
import { modelPart } from './object/model-parts.ts'
import { objectFrame } from './object/object-frame.ts'
import { PAGE_PARTS } from './object/page-parts.ts'
import type { ModelPage } from './object/routes.ts'
import { valuesAt } from './path-values.ts'
import { topologyAction } from './topology/topology-link.ts'

/** GET of an object: its panels, what belongs to it, and the objects that refer to it. */
export const objectPage =
  (routes: ApiRoutes): ModelPage =>
  async (frame, request, model) => {
    const { object } = await readOne(request, model)
    const view = request.service.registry.view(model)
    const [shown, listed, part, own] = await Promise.all([
      shownObject(request, model, object),
      listedObjects(request, model, object),
      view.part === undefined
        ? drawingsOf(routes, request, model, object)
        : PAGE_PARTS[view.part](request, object),
      modelPart(request, model, object),
    ])
    const { counts, related, tables, overview, images } = listed
    const [first = [], ...others] = view.panels.map((groups) =>
      groups.map((group) => attributePanel(shown, group)),
    )
    const left = [part.first, ...first, ...(await commonPanels(request, shown)), images]
    const connections = connectionPanels(object, shown.around)
    const right = [...connections, part.beside, overview, ...others.flat(), related]
    const body = html`<div class="panels${part.isWide && ' wide'}"><div>${left}</div><div>${right}</div></div>
${part.below}${own}${tables}${footer(shown)}`
    const actions = html`${connectAction(request, model, object)}${topologyAction(request, model, object)}${actionButtons(routes, request, model, object)}`
    return await objectFrame(frame, request, model, object, {
      path: '',
      body,
      actions,
      counts,
      styles: part.styles ?? [],
      scripts: part.scripts ?? [],
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
  const around = await displayOptionsOf(request, [...Object.values(object), ...far])
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
    isTagged && panel(translate('Tags'), valueDisplay(model.fields.get('tags'), tags, around)),
    typeof comments === 'string' &&
      comments.trim() !== '' &&
      panel(translate('Comments'), markdownView(comments)),
  ]
}

/** Owner, and times of the first and the latest save. */
function footer({ object, around }: PanelObject): Content {
  const { owner, created, last_updated: updated } = object
  const parts = [
    owner != null &&
      html`<span>${translateMarkup('Owner: {owner}', { owner: valueDisplay(undefined, owner, around) })}</span>`,
    typeof created === 'string' &&
      html`<span>${translateMarkup('Created {time}', { time: momentDisplay(created) })}</span>`,
    typeof updated === 'string' &&
      html`<span>${translateMarkup('Last updated {time}', { time: momentDisplay(updated) })}</span>`,
  ].filter((each) => each !== false)
  return parts.length > 0 && html`<p class="saved muted">${parts}</p>`
}

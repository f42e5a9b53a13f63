import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { componentList } from '../components/component-link.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { type Attribute, attributesPanel, panel } from '../components/panel.ts'
import { type DisplayOptions, linkToObject, timestampDisplay, valueDisplay } from '../components/value.ts'
import type { ApiRoutes } from '../data/ask-api.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { contextsBeside } from '../data/object-names.ts'
import { isBare, readOne, readSelected } from '../data/page-objects.ts'
import type { AddedToObjects } from '../frame/object-content.ts'
import { fieldsInHead } from '../frame/object-heading.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { type Content, type Html, html } from '../html.ts'
import { attributePanel, type PanelObject } from '../object-parts/attribute-panels.ts'
import { customFieldPanels } from '../object-parts/custom-field-panels.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { latestChanges } from './latest-changes.ts'
import { listedObjects } from './listed-objects.ts'
import { partsOf } from './object-contents.ts'
import { objectFrame } from './object-frame.ts'

/** GET of an object: its panels, its parts, and the objects that refer to it. */
export const objectPage =
  (routes: ApiRoutes, added: AddedToObjects): ModelPage =>
  async (request, model) => {
    const view = request.service.registry.view(model)
    const paths = view.panels.flat().flatMap(({ fields }) => fields)
    const { object } = await readOne(
      request,
      model,
      paths.filter((path) => path.includes('.')),
    )
    const page = { request, model, object, routes, added }
    const [panels, listed, latest, parts] = await Promise.all([
      panelObject(request, model, object, paths),
      listedObjects(page),
      latestChanges(page),
      Promise.all(partsOf(model, added).map(({ load }) => load(page))),
    ])
    const { tabs, counts, related, tables, overview, images, add } = listed
    const inHead = fieldsInHead(page)
    const [first = [], ...others] = view.panels.map((groups) =>
      groups.map(({ label, fields }) =>
        attributePanel(panels, { label, fields: fields.filter((path) => !inHead.has(path)) }),
      ),
    )
    const common = await commonPanels(request, panels)
    const connections = connectionPanels(object, panels.options)
    const isWide = parts.some((part) => part.isWide)
    const below = parts.map((part) => part.below)
    const left = html`${parts.map((part) => part.left)}${first}${common}${images}`
    // The widest panel is placed where there is room for it.
    const right = html`${connections}${parts.map((part) => part.right)}${isWide && below}${overview}${others}`
    const isLeftShorter = !isWide && rowsIn(left) < rowsIn(right)
    const last = html`${latest}${related}`
    const aside = parts.map((part) => part.beside)
    const columns = html`${parts.map(({ top }) => top)}<div class="panels${isWide && ' wide'}"><div>${left}${isLeftShorter && last}</div><div>${right}${!isLeftShorter && last}</div></div>`
    return await objectFrame(page, {
      content: html`${aside.some(Boolean) ? html`<div class="with-aside"><div>${columns}</div><div>${aside}</div></div>` : columns}
${!isWide && below}${tables}${footer(panels)}`,
      actions: html`${add}${parts.map(({ actions }) => actions)}`,
      counted: { tabs, counts },
      styles: ['inputs.css', 'edit.css', 'inline-edit.css', ...parts.flatMap(({ styles = [] }) => styles)],
      scripts: ['inline-edit.client.ts', ...parts.flatMap(({ scripts = [] }) => scripts)],
    })
  }

/** Number of headings and visible rows in panels, from which their height follows roughly. */
const rowsIn = (panels: Html): number =>
  [
    ...String(panels)
      .replaceAll(/<details class="more-attributes">.*?<\/details>/gs, '<dt>')
      .matchAll(/<(?:h2|dt|li|tr)\b/g),
  ].length

/** The object, which has the values at the paths of its panels, with the names of related objects of which it has only the ids. */
async function panelObject(
  request: ApiRequest,
  model: Model,
  page: JsonObject,
  paths: readonly string[],
): Promise<PanelObject> {
  const { registry } = request.service
  const ids = paths.filter((path) => isBare(model, path))
  const selection = { paths: ids, excludeContext: true }
  const [named] = ids.length > 0 ? await readSelected(request, model, [Number(page.id)], selection) : []
  const object = { ...page, ...named }
  const values = Object.values(object)
  const options = await displayOptionsOf(request, values)
  const contexts = contextsBeside(registry, options.contexts, [String(object.display), ...values])
  return { registry, model, object, options: { ...options, contexts }, isOfPage: true }
}

/** Panels of every model: custom fields, tags, comments. */
async function commonPanels(
  { service }: ApiRequest,
  { model, object, options }: PanelObject,
): Promise<readonly Content[]> {
  const { tags, comments } = object
  const isTagged = Array.isArray(tags) && tags.length > 0
  return [
    ...(await customFieldPanels(service, model, object, options)),
    isTagged && panel(translate('Tags'), valueDisplay(model.fields.get('tags'), tags, options)),
    typeof comments === 'string' && comments.trim() !== '' && panel(translate('Comments'), renderedMarkdown(comments)),
  ]
}

/** Owner, and times of the first and the latest save, unless a panel shows them. */
function footer({ registry, model, object, options }: PanelObject): Content {
  const inPanels = new Set(
    registry
      .view(model)
      .panels.flat()
      .flatMap(({ fields }) => fields),
  )
  const { owner, created, last_updated: updated } = object
  const parts = [
    owner != null &&
      html`<span>${translateMarkup('Owner: {owner}', { owner: valueDisplay(undefined, owner, options) })}</span>`,
    typeof created === 'string' &&
      !inPanels.has('created') &&
      html`<span>${translateMarkup('Created {time}', { time: timestampDisplay(created) })}</span>`,
    typeof updated === 'string' &&
      html`<span>${translateMarkup('Last updated {time}', { time: timestampDisplay(updated) })}</span>`,
  ].filter((part) => part !== false)
  return parts.length > 0 && html`<p class="saved muted">${parts}</p>`
}

/** Panels about cables: the ends of a cable, or the connection of a port. */
function connectionPanels(object: JsonObject, options: DisplayOptions): readonly Content[] {
  if ('a_terminations' in object) {
    return [
      endPanel(translate('A side'), object.a_terminations, options),
      endPanel(translate('B side'), object.b_terminations, options),
    ]
  }
  return 'cable' in object ? [connectionPanel(object, options)] : []
}

function endPanel(title: string, ends: Json | undefined, options: DisplayOptions): Content {
  const objects = objectsIn(ends).flatMap(({ object }) => (isJsonObject(object) ? [object] : []))
  return panel(
    title,
    objects.length === 0 ? html`<p class="muted">${translate('Not connected')}</p>` : componentList(objects, options),
  )
}

function connectionPanel(object: JsonObject, options: DisplayOptions): Content {
  const { cable, wireless_link: wireless, link_peers: peers, connected_endpoints: far } = object
  const link = [cable, wireless].find((candidate) => isJsonObject(candidate))
  if (!link) {
    const text = object.mark_connected === true ? translate('Marked as connected') : translate('Not connected')
    return panel(translate('Connection'), html`<p class="muted">${text}</p>`)
  }
  const [ends, neighbours] = [objectsIn(far), objectsIn(peers)]
  const attributes: Attribute[] = [
    {
      label: cable === link ? translate('Cable') : translate('Wireless link'),
      value: linkToObject(link, { ...options, contexts: new Map() }),
    },
  ]
  if (ends.length > 0) {
    attributes.unshift({ label: translate('Connected to'), value: componentList(ends, options) })
  }
  if (neighbours.length > 0 && !isSame(ends, neighbours)) {
    attributes.push({
      label: translate('Other end of the cable'),
      value: componentList(neighbours, options),
    })
  }
  if (ends.length > 0 && 'connected_endpoints_reachable' in object) {
    const isReachable = object.connected_endpoints_reachable === true
    attributes.push({
      label: translate('Path'),
      value: isReachable ? translate('Connected end to end') : translate('Not connected end to end'),
    })
  }
  return attributesPanel(translate('Connection'), attributes)
}

const isSame = (left: readonly JsonObject[], right: readonly JsonObject[]): boolean =>
  left.map(({ url }) => url).join() === right.map(({ url }) => url).join()

import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { componentLink } from '../components/component-link.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { colorDisplay, type DisplayOptions, EMPTY, linkToObject } from '../components/value.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { CONNECT_FIELDS, connectAddress } from './connect-link.ts'
import { interfaceStateColumns } from './interface-columns.ts'
import { withVisibleEnds } from './visible-ends.ts'

/** Fields that show to what a component is connected; a model may lack some of them. */
const FIELDS = [
  ...CONNECT_FIELDS,
  'link_peers',
  'connected_endpoints',
  'connected_endpoints_reachable',
  'wireless_link',
]

/** Maximum number of far ends in a cell. */
const MOST_NAMED = 4

/**
 * Columns of cabled components: the connected objects, with a link that connects free components. Interfaces have their
 * state, addresses and VLANs as well. Undefined for other models.
 */
export function connectionColumns(request: ApiRequest, model: Model): FurtherColumns | undefined {
  if (!model.fields.has('cable') || !model.fields.has('link_peers')) return undefined
  const stateColumns = model.fields.has('untagged_vlan') ? interfaceStateColumns(request, model) : undefined
  const fields = FIELDS.filter((name) => model.answer.includes(name))
  const page = `${request.service.settings.basePath}${pagePathOf(model)}`
  const isTraced = model.fields.has('connected_endpoints')
  return {
    fields: [...fields, ...(stateColumns?.fields ?? [])],
    headings: [...(stateColumns?.headings ?? []), translate('Connected to')],
    load: async (objects) => {
      const [stateCells, visible] = await Promise.all([stateColumns?.load(objects), withVisibleEnds(request, objects)])
      const byId = new Map(visible.map((object) => [object.id, object]))
      return (row, options) => {
        const object = byId.get(row.id) ?? row
        const address = connectAddress(request, model, object)
        const isLinked = isJsonObject(object.cable) || isJsonObject(object.wireless_link)
        const name = String(object.display)
        return {
          cells: [...(stateCells?.(object, options).cells ?? []), connectionCell(object, options)],
          actions: address
            ? html`<a href="${address}" aria-label="${translate('Connect {name}', { name })}">${translate('Connect')}</a>`
            : isTraced &&
              isLinked &&
              html`<a href="${page}${Number(object.id)}/trace/" aria-label="${translate('Trace {name}', { name })}">${translate('Trace')}</a>`,
        }
      }
    },
  }
}

/** The far ends of a component's path, or the objects at the other end of its cable, and the link. */
export function connectionCell(object: JsonObject, options: DisplayOptions): Content {
  const link = [object.cable, object.wireless_link].find((candidate) => isJsonObject(candidate))
  const ends = objectsIn(object.connected_endpoints)
  const peers = objectsIn(object.link_peers)
  const far = ends.length > 0 ? ends : peers
  if (!link && far.length === 0) {
    return object.mark_connected === true ? html`<span class="muted">${translate('Marked as connected')}</span>` : EMPTY
  }
  const isDown = ends.length > 0 && object.connected_endpoints_reachable === false
  const more = far.length - MOST_NAMED
  return html`<div class="far">${far.slice(0, MOST_NAMED).map((object) => html`<div>${componentLink(object, options)}</div>`)}${more > 0 && html`<div class="muted">+ ${more}</div>`}
${link && linkCell(link, options)}${isDown && html` <span class="badge red">${translate('Not connected end to end')}</span>`}${link && object.connected_endpoints === null && html` <span class="muted">${translate('Open end')}</span>`}</div>`
}

const linkCell = (link: JsonObject, options: DisplayOptions): Content =>
  html`<small class="context">${typeof link.color === 'string' && /^[0-9a-f]{6}$/i.test(link.color) && colorDisplay(link.color)}${linkToObject({ ...link, color: null, display: linkName(link) }, options)}</small>`

const linkName = ({ label, ssid, id }: JsonObject): string => String(label || ssid || `#${id}`)

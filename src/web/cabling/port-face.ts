import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { isVirtual } from '../../models/dcim/interface-kind.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { drawnPorts } from './port-slots.ts'

/** Ports of a kind that are drawn; the tab shows all. */
const MOST = 96

interface FacePort {
  readonly id: number
  readonly name: string
  readonly isTaken: boolean
  readonly isEnabled: boolean
}

/** The kinds of ports that the face of a device shows, with the tab and the counter of each. */
const KINDS = [
  { model: CABLING_MODELS.interface, tab: 'interfaces', counter: 'interface_count' },
  { model: CABLING_MODELS.frontPort, tab: 'panel', counter: 'front_port_count' },
] as const

/** The ports of a device at a glance, each a link to its page; nothing for a device without ports. */
export async function portFace(request: ApiRequest, device: JsonObject): Promise<Content> {
  const { registry, settings } = request.service
  const kinds = KINDS.filter(
    ({ model, counter }) =>
      Number(device[counter] ?? 0) > 0 && mayAct(request.actor, 'view', registry.model(model), settings),
  )
  if (kinds.length === 0) return undefined
  const ports = await portsOf(request, kinds, Number(device.id))
  const faces = kinds.flatMap(({ model, tab }) => {
    const list = ports.get(model) ?? []
    if (list.length === 0) return []
    const page = `${settings.basePath}${pagePathOf(registry.model(model))}`
    const href = `${settings.basePath}${pagePathOf(registry.model(CABLING_MODELS.device))}${device.id}/${tab}/`
    const label = tab === 'panel' ? translate('Panel') : shownPlural(registry.model(model))
    return [faceOf(list, { page, href, label })]
  })
  return faces.length > 0 && panel(translate('Ports'), html`${faces}`)
}

/** The ports of all kinds, in the order of their lists. Virtual interfaces have no place on the face. */
async function portsOf(
  { service, actor }: ApiRequest,
  kinds: readonly (typeof KINDS)[number][],
  device: number,
): Promise<ReadonlyMap<unknown, readonly FacePort[]>> {
  const selects = kinds.map(({ model }) => {
    const isInterface = model === CABLING_MODELS.interface
    const [type, isEnabled, order] = isInterface
      ? [sql`t.type`, sql`t.enabled`, sql`t._name`]
      : [sql`''`, sql`true`, sql`t.name`]
    return sql`
      select ${model}::text as model, t.id, t.name, ${type} as type, ${isEnabled} as enabled,
        row_number() over (order by ${order}) as place
      from ${table(model)} t where t.device_id = ${device}::bigint`
  })
  const takenOf = kinds.map(({ model }) => {
    const link = model === CABLING_MODELS.interface ? sql`or t.wireless_link_id is not null` : sql``
    return sql`select ${model}::text, t.id from ${table(model)} t
      where t.device_id = ${device}::bigint and (t.cable_id is not null or t.mark_connected ${link})`
  })
  const statement = sql`select * from (${join(selects, ' union all ')}) ports order by model, place`
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const [rows, taken] = await Promise.all([
    cachedResult(service, applyRowSecurity(security, statement)),
    // Of all cables: a port whose cable one may not view is in use nevertheless.
    cachedResult(service, join(takenOf, ' union all ')),
  ])
  const isInUse = new Set(taken.map(([model, id]) => `${model} ${id}`))
  const physical = rows.filter(([, , , type]) => !isVirtual(String(type)))
  return new Map(
    [...Map.groupBy(physical, ([model]) => model)].map(([model, list]) => [
      model,
      list.map(([, id, name, , isEnabled]) => ({
        id: Number(id),
        name: String(name),
        isEnabled: isEnabled === true,
        isTaken: isInUse.has(`${model} ${id}`),
      })),
    ]),
  )
}

function faceOf(
  ports: readonly FacePort[],
  { page, href, label }: { readonly page: string; readonly href: string; readonly label: string },
): Html {
  const count = ports.filter(({ isTaken }) => !isTaken).length
  const more = ports.length - MOST
  return html`<div class="face"><p><a href="${href}">${label}</a> <span class="muted">${translate('{count} of {all} ports free', { count, all: ports.length })}</span></p>
${drawnPorts(
  ports.slice(0, MOST),
  ({ name }) => name,
  (port, short) => facePort(port, short, page),
)}${more > 0 && html`<p><a href="${href}">+ ${numeral(more)}</a></p>`}</div>`
}

function facePort({ id, name, isTaken, isEnabled }: FacePort, short: string, page: string): Html {
  const state = isTaken ? translate('Connected') : isEnabled ? translate('Free') : translate('Disabled')
  const classes = `${isTaken ? '' : 'free'}${isEnabled ? '' : ' disabled'}`
  return portLink({ name, short, classes, href: `${page}${id}/`, text: state })
}

/** A port on a face: a link of its number or short name, with `text` about it in a tooltip, which screen readers read. */
export function portLink({ name, short, classes, href, text }: PortLink): Html {
  const label = `${name}: ${text}`
  return html`<a class="${`port ${classes}`.trim()}" href="${href}"><span aria-hidden="true">${short}</span><span class="visually-hidden tip">${label}</span></a>`
}

interface PortLink {
  readonly name: string
  /** What is shown of the name. */
  readonly short: string
  readonly classes: string
  readonly href: string
  readonly text: string
}

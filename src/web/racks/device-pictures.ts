import { devicesInRacks } from '../../api/actions/dcim/rack-contents.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { portFace } from '../cabling/port-face.ts'
import { shownTitle } from '../components/model-title.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { drawRack } from './draw-rack.ts'
import { rackModels } from './rack-facts.ts'
import { PLACES, rackTable } from './rack-table.ts'

/** The ports of a device and its place in the rack, each with a link to all of it. */
export const devicePicturesPart: ObjectPart = {
  models: ['dcim.device'],
  load: async ({ request, object }) => {
    const [face, place] = await Promise.all([portFace(request, object), rackPlace(request, object)])
    if (!face && !place) return {}
    return {
      top: face,
      beside: place,
      styles: ['cabling.css', 'racks.css', 'device-pictures.css'],
    }
  },
}

/** The face of a rack that holds the device, with the device marked, as one link to the rack. */
async function rackPlace(request: ApiRequest, object: JsonObject): Promise<Content> {
  const { registry, settings } = request.service
  const { rack: model } = rackModels(registry)
  const { position, rack } = object
  if (!isJsonObject(rack) || typeof position !== 'number' || !mayAct(request.actor, 'view', model, settings)) {
    return undefined
  }
  const id = Number(rack.id)
  const [racks, devices] = await Promise.all([
    visibleObjects(request, model, [id], ['display', 'starting_unit', 'u_height', 'desc_units']),
    devicesInRacks(request, [id]),
  ])
  const visible = racks.get(id)
  if (!visible) return undefined
  const face = isJsonObject(object.face) && object.face.value === 'rear' ? 'rear' : 'front'
  const name = String(visible.display)
  const drawn = drawRack(
    request,
    {
      ...{ id, name, site: 0, location: null, reservations: [], beside: [] },
      numbering: {
        starting_unit: Number(visible.starting_unit),
        u_height: Number(visible.u_height),
        desc_units: visible.desc_units === true,
      },
      devices: devices.map((device) => ({ ...device, label: device.isVisible ? device.type : '', bays: [] })),
    },
    { faces: [face], isPicture: true },
  )
  const rows = drawn.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) =>
      cell?.kind === 'device' ? { ...cell, href: '', isHere: cell.id === object.id } : cell,
    ),
  }))
  return html`<section class="card panel rack-picture"><h2>${shownTitle(model)}</h2><a href="${settings.basePath}${pagePathOf(model)}${id}/"><div aria-hidden="true">${rackTable({ ...drawn, rows, misplaced: [] })}</div><span>${name} · ${translate(PLACES[face], { position })}</span></a></section>`
}

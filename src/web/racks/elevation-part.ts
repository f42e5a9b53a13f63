import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { panel } from '../components/panel.ts'
import { utilizationMeter } from '../components/utilization-bar.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { drawRack, mayMoveDevices, rackRoles, utilizationsOf } from './draw-rack.ts'
import { ELEVATIONS, elevationSection } from './elevation-section.ts'
import { rackModels, racksWithContents } from './rack-facts.ts'
import { trayOf } from './tray.ts'

/** Front and rear of a rack, the devices that could be mounted, and how full it is. */
export const rackElevationPart: ObjectPart = {
  models: ['dcim.rack'],
  load: async ({ request, object }) => {
    const [rack] = await racksWithContents(request, [Number(object.id)])
    if (!rack) return {}
    const { basePath } = request.service.settings
    const tray = await trayOf(request, [rack])
    return {
      left: panel(
        translate('Utilization'),
        html`<div class="rack-utilization">${utilizationsOf(rack).map(utilizationMeter)}</div>`,
      ),
      isWide: true,
      right: panel(
        translate('Elevation'),
        elevationSection({
          racks: [drawRack(request, rack, { faces: ['front', 'rear'] })],
          tray,
          roles: rackRoles([rack]),
          mayMove: mayMoveDevices(request),
          links: html`${reserveLink(request, rack.id)}<a href="${basePath}${ELEVATIONS}?site_id=${rack.site}${rack.location !== null && html`&amp;location_id=${rack.location}`}">${translate('Elevations')}</a>
<a href="${basePath}/api/dcim/racks/${rack.id}/elevation/?render=svg&amp;face=front">${translate('Front as SVG')}</a>
<a href="${basePath}/api/dcim/racks/${rack.id}/elevation/?render=svg&amp;face=rear">${translate('Rear as SVG')}</a>`,
        }),
      ),
      styles: ['racks.css'],
      scripts: ['rack-elevation.client.ts'],
    }
  },
}

function reserveLink({ actor, service }: ApiRequest, rack: number): Content {
  const { reservation } = rackModels(service.registry)
  if (!mayAct(actor, 'add', reservation, service.settings)) return undefined
  return html`<a href="${service.settings.basePath}${pagePathOf(reservation)}add/?rack=${rack}">${translate('Reserve units')}</a>`
}

import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { translate } from '../texts/translate.ts'
import type { Tray } from './elevation-section.ts'
import { type RackWithContents, rackModels } from './rack-facts.ts'
import { unmountedDevices } from './unmounted-devices.ts'

const SHOWN = 30
/** Parameter of the page: text in the names of the listed devices. */
const WORDS = 'tray'

/** The devices that could be mounted in these racks; undefined where the racks belong to several sites. */
export async function trayOf(
  request: ApiRequest,
  racks: readonly RackWithContents[],
): Promise<Tray | undefined> {
  const sites = new Set(racks.map(({ site }) => site))
  const [site] = sites
  if (site === undefined || sites.size > 1) return undefined
  const words = (lastValue(request.search, WORDS) ?? '').trim()
  const { devices, count } = await unmountedDevices(request, {
    site,
    racks: racks.map(({ id }) => id),
    words,
    limit: SHOWN,
  })
  const { settings, registry } = request.service
  const page = `${settings.basePath}${pagePathOf(rackModels(registry).device)}`
  return {
    words,
    count,
    kept: [...request.search].filter(([name]) => name !== WORDS),
    devices: devices.map(({ isInRack, ...device }) => ({
      ...device,
      href: `${page}${device.id}/edit/?return_url=${encodeURIComponent(`${request.url.pathname}${request.url.search}`)}`,
      type: [
        device.type,
        translate('{height} U', { height: device.height }),
        ...(isInRack ? [translate('in this rack')] : []),
      ].join(' · '),
      title: `${device.label}, ${device.type}`,
      color: /^[0-9a-f]{6}$/i.test(device.color) ? device.color : '',
      isPlanned: false,
      position: undefined,
      face: '',
    })),
  }
}

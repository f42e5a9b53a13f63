import { panel } from '../components/panel.ts'
import { utilizationMeter } from '../components/utilization-bar.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { translate } from '../texts/translate.ts'
import { feedLoad } from './rack-loads.ts'

/** Allocated share of the power of a feed. */
export const feedLoadPart: ObjectPart = {
  models: ['dcim.powerfeed'],
  load: async ({ request, object }) => {
    const { power, allocated } = await feedLoad(request.service, Number(object.id))
    const load = {
      label: translate('Power'),
      share: power > 0 ? allocated / power : undefined,
      text: translate('{used} of {all} W', { used: allocated, all: power }),
    }
    return { right: panel(translate('Utilization'), utilizationMeter(load)) }
  },
}

import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { utilizationCell } from '../components/utilization-bar.ts'
import { EMPTY } from '../components/value.ts'
import { translate } from '../texts/translate.ts'
import { rackModels, racksWithUsage } from './rack-facts.ts'

/** The columns with the used space and the allocated power of racks; undefined for other models. */
export function rackColumns(request: ApiRequest, model: Model): FurtherColumns | undefined {
  if (model !== rackModels(request.service.registry).rack) return undefined
  const headings = [translate('Space'), translate('Power')]
  const [space = '', power = ''] = headings
  return {
    fields: [],
    headings,
    after: 'status',
    load: async (objects) => {
      const racks = await racksWithUsage(
        request,
        objects.map(({ id }) => Number(id)),
      )
      const byId = new Map(racks.map((rack) => [rack.id, rack]))
      return ({ id }) => {
        const rack = byId.get(Number(id))
        if (!rack) return { cells: [EMPTY, EMPTY] }
        const { units, occupied } = rack.space
        const { power: supplied, allocated } = rack.load
        return {
          cells: [
            utilizationCell(space, units > 0 ? occupied / units : undefined),
            utilizationCell(power, supplied > 0 ? allocated / supplied : undefined),
          ],
        }
      }
    },
  }
}

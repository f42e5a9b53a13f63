import type { Batch } from './batch.ts'
import { COLOURS } from './colours.ts'
import type { Plan } from './plan.ts'

/** Cables between neighbouring devices, and both ends of each. */
export function* cabling(plan: Plan): Generator<Batch> {
  const { cables } = plan.sizes
  yield plan.batch('dcim.cable', cables, (index, id) => ({
    type: 'cat6a',
    status: plan.random.oneIn(20) ? 'planned' : 'connected',
    label: plan.random.oneIn(4) ? '' : `C${id}`,
    color: plan.random.pick(COLOURS),
    length: String(1 + (index % 20)),
    length_unit: 'm',
  }))
  yield plan.batch('dcim.cabletermination', cables * 2, (index) => {
    const cable = Math.floor(index / 2)
    const end = index % 2 === 0 ? 'A' : 'B'
    const { device, port } = plan.portAt(cable, end)
    const { site, location, rack } = plan.placeOf(device)
    return {
      cable: plan.id('dcim.cable', cable),
      cable_end: end,
      termination_type: 'dcim.interface',
      termination_id: plan.id('dcim.interface', plan.firstInterface(device) + port),
      _device: plan.id('dcim.device', device),
      _site: site,
      _location: location,
      _rack: rack,
    }
  })
}

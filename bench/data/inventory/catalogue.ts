import type { Batch } from './batch.ts'
import { COLOURS } from './colours.ts'
import type { Plan } from './plan.ts'

const MAKERS = ['Alder', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine']
export const PLATFORMS = MAKERS.length
const MODELS_OF_MAKER = 5
export const DEVICE_TYPES = MAKERS.length * MODELS_OF_MAKER
export const ROLES = ['access-switch', 'core-switch', 'router', 'firewall', 'server', 'console']

/** Manufacturers, device types, platforms and roles. */
export function* catalogue(plan: Plan): Generator<Batch> {
  yield plan.batch('dcim.manufacturer', MAKERS.length, (index, id) => ({
    name: `${MAKERS[index]} ${id}`,
    slug: `maker-${id}`,
  }))
  yield plan.batch('dcim.devicetype', DEVICE_TYPES, (index, id) => ({
    manufacturer: plan.id('dcim.manufacturer', index % MAKERS.length),
    model: `M-${id}`,
    slug: `m-${id}`,
    u_height: '1.0',
    weight: String(2 + (index % 9)),
    weight_unit: 'kg',
  }))
  yield plan.batch('dcim.devicerole', ROLES.length, (index, id) => ({
    name: `${ROLES[index]} ${id}`,
    slug: `${ROLES[index]}-${id}`,
    color: plan.random.pick(COLOURS),
  }))
  yield plan.batch('dcim.platform', PLATFORMS, (index, id) => ({
    name: `${MAKERS[index]} OS ${id}`,
    slug: `os-${id}`,
    manufacturer: plan.id('dcim.manufacturer', index),
  }))
}

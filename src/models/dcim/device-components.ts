import type { EffectFunction } from '../../schema/rule.ts'
import type { device } from './device.ts'
import { Instantiation, type KindName } from './instantiate.ts'

const ORDER: readonly KindName[] = [
  'console_port',
  'console_server_port',
  'power_port',
  'power_outlet',
  'interface',
  'rear_port',
  'front_port',
  'module_bay',
  'device_bay',
  'inventory_item',
]

/** Creates the components that the types of new devices list. */
export const createComponents: EffectFunction<typeof device.fields> = async (effect) => {
  if (effect.action !== 'create') return
  const holders = effect.rows.flatMap(({ next }) =>
    next
      ? {
          type: next.device_type,
          device: next,
          module: null,
          adopts: false,
          replicates: true,
          positions: [],
          chassisPosition: next.virtual_chassis === null ? null : next.vc_position,
        }
      : [],
  )
  await new Instantiation(effect, 'device_type', holders).run(ORDER)
}

import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { distanceNeedsUnit, dropUnitWithoutDistance } from '../dcim/distance.rules.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { isWireless } from '../dcim/interface-kind.ts'
import { refuseNegative } from '../dcim/not-negative.rules.ts'
import { retraceWirelessLinks, tellInterfaces } from './wireless-link.effects.ts'
import { wirelessLink } from './wireless-link.ts'

type LinkFields = typeof wirelessLink.fields

const endsAreWireless: Rule<LinkFields> = async ({ next, read }) => {
  const [a, b] = await Promise.all([
    read.get(deviceInterface, next.interface_a),
    read.get(deviceInterface, next.interface_b),
  ])
  if (!isWireless(a.type)) return { interface_a: `${a.display} is not a wireless interface.` }
  if (!isWireless(b.type)) return { interface_b: `${b.display} is not a wireless interface.` }
  return
}

/** Sets the devices at both ends, for filters. */
const fillDevices: Normalizer<LinkFields> = async ({ next, read }) => {
  const [a, b] = await Promise.all([
    read.get(deviceInterface, next.interface_a),
    read.get(deviceInterface, next.interface_b),
  ])
  return { _interface_a_device: a.device, _interface_b_device: b.device }
}

export const wirelessLinkBehaviour = behaviour(wirelessLink, {
  modelRules: [distanceNeedsUnit, refuseNegative('distance'), endsAreWireless],
  beforeSave: [dropUnitWithoutDistance, fillDevices],
  afterWrite: [tellInterfaces, retraceWirelessLinks],
  rebuild: async (database) => {
    await database.execute(sql`
      ${updateTable('wireless.wirelesslink')} t
      set _interface_a_device_id = a.device_id, _interface_b_device_id = b.device_id
      from ${table('dcim.interface')} a, ${table('dcim.interface')} b
      where a.id = t.interface_a_id and b.id = t.interface_b_id
        and (t._interface_a_device_id, t._interface_b_device_id)
          is distinct from (a.device_id, b.device_id)`)
  },
})

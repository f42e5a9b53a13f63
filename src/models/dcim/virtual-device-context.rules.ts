import { type Rule, rulesFor } from '../../schema/rule.ts'
import { device } from './device.ts'
import { whyNotOwnAddress } from './primary-address.rules.ts'
import { virtualDeviceContext } from './virtual-device-context.ts'

const addressesAreOfDevice: Rule<typeof virtualDeviceContext.fields> = async ({ next, read }) => {
  for (const [name, family] of [
    ['primary_ip4', 4],
    ['primary_ip6', 6],
  ] as const) {
    const id = next[name]
    if (id === null) continue
    const holder =
      next.device === null ? { id: 0, virtual_chassis: null } : await read.get(device, next.device)
    const reason = await whyNotOwnAddress(read, holder, id, { family, translated: false })
    if (reason) return { [name]: reason }
  }
  return
}

export const virtualDeviceContextBehaviour = rulesFor(virtualDeviceContext, addressesAreOfDevice)

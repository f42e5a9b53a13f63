import { type Rule, rulesFor } from '../../schema/rule.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { isVirtual } from '../dcim/interface-kind.ts'
import { virtualCircuitTermination } from './virtual-circuit-termination.ts'

const endsAtVirtualInterface: Rule<typeof virtualCircuitTermination.fields> = async ({
  next,
  read,
}) => {
  const { type } = await read.get(deviceInterface, next.interface)
  return isVirtual(type) ? undefined : { __all__: 'A virtual circuit ends at virtual interfaces.' }
}

export const virtualCircuitTerminationBehaviour = rulesFor(
  virtualCircuitTermination,
  endsAtVirtualInterface,
)

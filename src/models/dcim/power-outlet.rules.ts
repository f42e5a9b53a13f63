import { behaviour, type Rule } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { powerOutlet } from './power-outlet.ts'
import { powerPort } from './power-port.ts'

const portIsInDevice: Rule<typeof powerOutlet.fields> = async ({ next, read }) => {
  if (next.power_port === null) return
  const port = await read.get(powerPort, next.power_port)
  return port.device === next.device
    ? undefined
    : { __all__: `The power port ${port.display} belongs to another device.` }
}

export const powerOutletBehaviour = behaviour(powerOutlet, {
  modelRules: [cableOrMark, staysInDevice, portIsInDevice],
  beforeSave: [fillComponentPlace],
})

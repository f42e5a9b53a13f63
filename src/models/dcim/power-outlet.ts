import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import { choice, color, foreignKey } from '../../schema/field.ts'
import { pathEndpoint } from './cabled-component.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'
import { powerOutletFeedLeg } from './choices.ts'

export const powerOutletStatus = choices([
  ['enabled', 'Enabled', 'green'],
  ['disabled', 'Disabled', 'red'],
  ['faulty', 'Faulty', 'gray'],
])

/** A device's power output. */
export const powerOutlet = pathEndpoint({
  name: 'dcim.poweroutlet',
  path: 'dcim/power-outlets',
  labels: ['power outlet', 'power outlets'],
  graphql: {
    enums: {
      type: ['PowerOutletTypeEnum', 'TYPE'],
      feed_leg: ['PowerOutletFeedLegEnum', 'FEED_LEG'],
    },
  },

  fields: {
    type: choice(powerOutletType, { nullable: true, blank: true }),
    status: choice(powerOutletStatus, { default: 'enabled' }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerport', { onDelete: 'setNull', related: 'poweroutlets' }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
  },
})

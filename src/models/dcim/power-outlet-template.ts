import { description } from '../../schema/common.ts'
import { choice, color, foreignKey } from '../../schema/field.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'
import { powerOutletFeedLeg } from './choices.ts'
import { componentTemplate } from './component-template.ts'

/** A power outlet that devices or modules of a type come with. */
export const powerOutletTemplate = componentTemplate({
  name: 'dcim.poweroutlettemplate',
  path: 'dcim/power-outlet-templates',
  labels: ['power outlet template', 'power outlet templates'],

  fields: {
    type: choice(powerOutletType, { nullable: true, blank: true, filter: 'single' }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerporttemplate', {
      onDelete: 'setNull',
      related: 'poweroutlet_templates',
    }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
  },
})

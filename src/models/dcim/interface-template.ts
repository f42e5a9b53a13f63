import { description } from '../../schema/common.ts'
import { boolean, choice, foreignKey, text } from '../../schema/field.ts'
import { wirelessRole } from '../wireless/choices.ts'
import { interfaceType } from './choices/interface-type.ts'
import { interfacePoeMode, interfacePoeType } from './choices.ts'
import { componentTemplate } from './component-template.ts'
import { interfaceNameOrder } from './interface-name-order.ts'

/** An interface that devices or modules of a type come with. */
export const interfaceTemplate = componentTemplate({
  name: 'dcim.interfacetemplate',
  path: 'dcim/interface-templates',
  labels: ['interface template', 'interface templates'],

  fields: {
    type: choice(interfaceType, { example: '1000base-t' }),
    enabled: boolean({ default: true }),
    mgmt_only: boolean({ default: false, label: 'Management only' }),
    description,
    bridge: foreignKey('dcim.interfacetemplate', {
      onDelete: 'setNull',
      related: 'bridge_interfaces',
      projection: ['id', 'url', 'display', 'name'],
    }),
    poe_mode: choice(interfacePoeMode, { nullable: true, blank: true }),
    poe_type: choice(interfacePoeType, { nullable: true, blank: true }),
    rf_role: choice(wirelessRole, { nullable: true, max: 30, blank: true, example: null }),
    _name: text({
      max: 100,
      default: '',
      hidden: true,
      compute: (row) => interfaceNameOrder(String(row.name)),
    }),
  },
})

import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { wirelessRole } from '../wireless/choices/wireless-role.ts'
import { interfacePoeMode } from './choices/interface-poe-mode.ts'
import { interfacePoeType } from './choices/interface-poe-type.ts'
import { interfaceType } from './choices/interface-type.ts'
import { interfaceNameOrder } from './interface-name-order.ts'

/** An interface that devices or modules of a type come with. */
export const interfaceTemplate = model({
  name: 'dcim.interfacetemplate',
  path: 'dcim/interface-templates',
  page: false,
  labels: ['interface template', 'interface templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'interfacetemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'interfacetemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(interfaceType, {}),
    enabled: boolean({ default: true }),
    mgmt_only: boolean({ default: false, label: 'Management only' }),
    description,
    bridge: foreignKey('dcim.interfacetemplate', {
      onDelete: 'setNull',
      related: 'bridge_interfaces',
      nullable: true,
      projection: ['id', 'url', 'display', 'name'],
    }),
    poe_mode: choice(interfacePoeMode, { nullable: true, blank: true }),
    poe_type: choice(interfacePoeType, { nullable: true, blank: true }),
    rf_role: choice(wirelessRole, { nullable: true, max: 30, blank: true }),
    ...timestamps,
    _name: text({
      max: 100,
      default: '',
      hidden: true,
      compute: (row) => interfaceNameOrder(String(row.name)),
    }),
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})

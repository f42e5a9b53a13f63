import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, color, foreignKey, integer, text } from '../../schema/field.ts'
import { choiceFilter, numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { cabled, cabledFilters, cablePosition, linkPeers, occupied } from './cabling/cabled.ts'
import { CABLING } from './cabling/cabling-lock.ts'
import { cableEnd } from './choices/cable-end.ts'
import { portType } from './choices/port-type.ts'
import { componentFilters, componentPlace, INSTALLED_IN } from './component.ts'
import { portMappings } from './port-mappings.ts'

/** A pass-through port on the front, mapped to positions of rear ports. */
export const frontPort = model({
  name: 'dcim.frontport',
  path: 'dcim/front-ports',
  labels: ['front port', 'front ports'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'frontports' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'frontports',
      nullable: true,
      projection: INSTALLED_IN,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim_portmapping', 'front'),
    description,
    ...cabled,
    ...linkPeers('dcim.frontport'),
    owner,
    ...housekeeping,
    _occupied: occupied,
    ...componentPlace,
    ...cablePosition,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
  order: ['device', 'name'],
  search: ['description', 'name', 'label'],
  unique: [{ fields: ['device', 'name'] }],

  filters: {
    ...componentFilters,
    ...cabledFilters,
    cable_end: choiceFilter('cable_end', cableEnd, { single: true }),
    cable_connector: numberFilter('cable_connector'),
    rear_port_id: related('mappings.rear_port', 'dcim.rearport'),
  },
  // Paths lead over what several requests connect: each must see what the others did.
  lock: CABLING,
  features: PRIMARY,
  changeRelates: 'device',
})

import { choices } from '../../schema/choices.ts'
import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, color, foreignKey, text } from '../../schema/field.ts'
import { choiceFilter, numberFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import {
  cabled,
  cabledFilters,
  cablePosition,
  connectedEndpoints,
  linkPeers,
  occupied,
  pathFilters,
} from './cabling/cabled.ts'
import { cableEnd } from './choices/cable-end.ts'
import { powerOutletFeedLeg } from './choices/power-outlet-feed-leg.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'
import { componentFilters, componentPlace, INSTALLED_IN } from './component.ts'

export const powerOutletStatus = choices([
  ['enabled', 'Enabled', 'green'],
  ['disabled', 'Disabled', 'red'],
  ['faulty', 'Faulty', 'gray'],
])

/** A device's power output. */
export const powerOutlet = model({
  name: 'dcim.poweroutlet',
  path: 'dcim/power-outlets',
  labels: ['power outlet', 'power outlets'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'poweroutlets' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'poweroutlets',
      nullable: true,
      projection: INSTALLED_IN,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(powerOutletType, { nullable: true, blank: true }),
    status: choice(powerOutletStatus, { default: 'enabled' }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerport', {
      onDelete: 'setNull',
      related: 'poweroutlets',
      nullable: true,
    }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
    ...cabled,
    ...linkPeers('dcim.poweroutlet'),
    ...connectedEndpoints('dcim.poweroutlet'),
    owner,
    ...housekeeping,
    _occupied: occupied,
    ...componentPlace,
    ...cablePosition,
    _path: foreignKey('dcim.cablepath', { onDelete: 'setNull', nullable: true, hidden: true }),
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied'],
  order: ['device', 'name'],
  search: ['description', 'name', 'label'],
  unique: [{ fields: ['device', 'name'] }],

  filters: {
    ...componentFilters,
    ...cabledFilters,
    ...pathFilters,
    cable_end: choiceFilter('cable_end', cableEnd, { single: true }),
    cable_connector: numberFilter('cable_connector'),
  },
  features: PRIMARY,
  changeRelates: 'device',
})

import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, foreignKey, integer, text } from '../../schema/field.ts'
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
import { powerPortType } from './choices/power-port-type.ts'
import { componentFilters, componentPlace, INSTALLED_IN } from './component.ts'

/** A device's power input. */
export const powerPort = model({
  name: 'dcim.powerport',
  path: 'dcim/power-ports',
  labels: ['power port', 'power ports'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'powerports' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'powerports',
      nullable: true,
      projection: INSTALLED_IN,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(powerPortType, { nullable: true, blank: true }),
    maximum_draw: integer({ range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ range: [1, 2147483647], nullable: true }),
    description,
    ...cabled,
    ...linkPeers('dcim.powerport'),
    ...connectedEndpoints('dcim.powerport'),
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

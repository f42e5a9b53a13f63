import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
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
import { consolePortSpeed } from './choices/console-port-speed.ts'
import { consolePortType } from './choices/console-port-type.ts'
import { componentFilters, componentPlace, INSTALLED_IN } from './component.ts'

/** A port that gives access to another device's console port. */
export const consoleServerPort = model({
  name: 'dcim.consoleserverport',
  path: 'dcim/console-server-ports',
  labels: ['console server port', 'console server ports'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'consoleserverports' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'consoleserverports',
      nullable: true,
      projection: INSTALLED_IN,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(consolePortType, { nullable: true, blank: true }),
    speed: choice(consolePortSpeed, { nullable: true }),
    description,
    ...cabled,
    ...linkPeers('dcim.consoleserverport'),
    ...connectedEndpoints('dcim.consoleserverport'),
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
    speed: choiceFilter('speed', consolePortSpeed, { single: true }),
    cable_end: choiceFilter('cable_end', cableEnd, { single: true }),
    cable_connector: numberFilter('cable_connector'),
  },
  features: PRIMARY,
  changeRelates: 'device',
})

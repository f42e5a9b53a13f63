import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, decimal, foreignKey, text } from '../../schema/field.ts'
import type { Example } from '../../schema/fields/kind.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { distanceUnit } from '../core/choices.ts'
import { CABLING } from '../dcim/cabling/cabled.ts'
import { linkStatus } from '../dcim/choices.ts'
import { storedMetres } from '../dcim/units.ts'
import { wirelessAuthCipher, wirelessAuthType } from './choices.ts'

/** The second and third example interfaces are wireless: two links, one in each direction. */
const wirelessInterface =
  (end: 0 | 1): Example =>
  (n, id) =>
    n <= 2 ? id('dcim.interface', 2 + ((n + end) % 2)) : undefined

/** A wireless link between two interfaces. */
export const wirelessLink = model({
  name: 'wireless.wirelesslink',
  path: 'wireless/wireless-links',
  labels: ['wireless link', 'wireless links'],
  about: 'A connection by radio between two interfaces.',

  fields: {
    interface_a: foreignKey('dcim.interface', { related: '+', example: wirelessInterface(0) }),
    interface_b: foreignKey('dcim.interface', { related: '+', example: wirelessInterface(1) }),
    ssid: text({ max: 32, default: '', label: 'SSID' }),
    status: choice(linkStatus, { default: 'connected' }),
    tenant,
    auth_type: choice(wirelessAuthType, { nullable: true, blank: true }),
    auth_cipher: choice(wirelessAuthCipher, { nullable: true, blank: true }),
    auth_psk: text({ max: 64, default: '', label: 'Pre-shared key', isSecret: true }),
    distance: decimal({ unit: 'distance_unit', digits: 8, places: 2, nullable: true }),
    distance_unit: choice(distanceUnit, { nullable: true, blank: true, filter: 'single' }),
    description,
    owner,
    comments,
    ...housekeeping,
    _abs_distance: storedMetres('distance', 'distance_unit'),
    _interface_a_device: foreignKey('dcim.device', {
      onDelete: 'cascade',
      related: '+',
      nullable: true,
      hidden: true,
    }),
    _interface_b_device: foreignKey('dcim.device', {
      onDelete: 'cascade',
      related: '+',
      nullable: true,
      hidden: true,
    }),
  },

  display: (column) => sql`coalesce(nullif(${column('ssid')}, ''), '#' || ${column('id')})`,
  graphql: {
    members: ['auth_type', 'auth_cipher'],
    objects: ['_interface_a_device', '_interface_b_device'],
  },
  brief: ['id', 'url', 'display', 'ssid', 'description'],
  order: ['id'],
  search: ['ssid', 'description'],
  unique: [{ fields: ['interface_a', 'interface_b'] }],

  // Cable paths run through connections of several requests, so each request must see the changes of the others.
  lock: CABLING,
  features: PRIMARY,
})

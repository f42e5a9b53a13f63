import { color, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The function of a rack. */
export const rackRole = organizational({
  name: 'dcim.rackrole',
  path: 'dcim/rack-roles',
  labels: ['rack role', 'rack roles'],
  about: 'What racks are used for, such as network or storage.',

  fields: {
    color: color({ default: '9e9e9e' }),
  },
  counts: {
    rack_count: relatedCount('dcim.rack', 'role'),
  },
})

export const rackRoleModel = organizationalModel(rackRole, {
  counts: ['rack_count'],
  fields: ['color'],
  importRequires: ['color'],
})

import { relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** A group of racks, such as a row. */
export const rackGroup = organizational({
  name: 'dcim.rackgroup',
  path: 'dcim/rack-groups',
  labels: ['rack group', 'rack groups'],

  counts: {
    rack_count: relatedCount('dcim.rack', 'group'),
  },
})

export const rackGroupModel = organizationalModel(rackGroup, {
  counts: ['rack_count'],
})

import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** Tunnels that belong together. */
export const tunnelGroup = model({
  name: 'vpn.tunnelgroup',
  path: 'vpn/tunnel-groups',
  labels: ['tunnel group', 'tunnel groups'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    tunnel_count: relatedCount('vpn.tunnel', 'group'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'tunnel_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: [...PRIMARY, 'contacts'],
})

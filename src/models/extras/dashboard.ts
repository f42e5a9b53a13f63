import { foreignKey, json } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A user's layout of the start page. */
export const dashboard = model({
  name: 'extras.dashboard',
  labels: ['dashboard', 'dashboards'],
  page: false,

  fields: {
    user: foreignKey('users.user', { onDelete: 'cascade', related: 'dashboard', unique: true }),
    layout: json({ default: [] }),
    config: json({ default: {} }),
  },

  display: 'Dashboard of {user.username}',
  graphql: false,
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
})

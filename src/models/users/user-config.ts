import { foreignKey, json } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A user's preferences. */
export const userConfig = model({
  name: 'users.userconfig',
  labels: ['user preferences', 'user preferences'],
  page: false,

  fields: {
    user: foreignKey('users.user', { onDelete: 'cascade', related: 'config', unique: true }),
    data: json({ default: {} }),
  },

  display: 'Preferences of {user.username}',
  brief: ['id', 'display'],
  order: ['user'],
  private: true,
})

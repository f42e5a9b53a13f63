import { dateTime, foreignKey, integer, json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * A request that a client may repeat, with its response; api/idempotency/ stores it in the transaction of its write.
 */
export const idempotencyKey = model({
  name: 'users.idempotencykey',
  labels: ['idempotency key', 'idempotency keys'],
  page: false,

  fields: {
    user: foreignKey('users.user', { onDelete: 'cascade', related: '+' }),
    key: text({ max: 255 }),
    /** SHA-256 of path and body. */
    fingerprint: text({ max: 64 }),
    created: dateTime({}),
    status: integer({ size: 'small' }),
    headers: json({ nullable: true }),
    body: text({ nullable: true }),
  },

  display: '{key}',
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['user', 'key'] }],
  indexes: [{ fields: ['created'] }],
  private: true,
  internal: true,
  transient: true,
})

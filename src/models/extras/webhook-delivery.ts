import { choices } from '../../schema/choices.ts'
import { choice, dateTime, foreignKey, genericForeignKey, integer, json, list, text, uuid } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { eventType } from './event-rule.ts'

/**
 * States of a delivery. `retrying`: the last attempt failed and another one follows; `dead`: there will be no further
 * attempt.
 */
const deliveryStatus = choices([
  ['queued', 'Queued', 'blue'],
  ['retrying', 'Retrying', 'orange'],
  ['delivered', 'Delivered', 'green'],
  ['dead', 'Dead', 'red'],
  ['canceled', 'Canceled', 'gray'],
])

/** A request of a webhook for one event, with its attempts. src/automation/webhooks/ writes and sends it. */
export const webhookDelivery = model({
  name: 'extras.webhookdelivery',
  path: 'extras/webhook-deliveries',
  labels: ['webhook delivery', 'webhook deliveries'],
  page: false,

  fields: {
    webhook: foreignKey('extras.webhook', {
      onDelete: 'cascade',
      related: 'deliveries',
      readOnly: true,
    }),
    event_rule: foreignKey('extras.eventrule', {
      onDelete: 'setNull',
      related: 'deliveries',
      readOnly: true,
    }),
    /** Sent as X-Hook-Delivery; the same for all attempts. In the order of the events. */
    delivery_id: uuid({ unique: true, readOnly: true }),
    event_type: choice(eventType, { bare: true, readOnly: true }),
    object: genericForeignKey(['feature:eventRules'], {
      nullable: true,
      onDelete: 'keep',
      readOnly: true,
      listsTypes: true,
    }),
    status: choice(deliveryStatus, { default: 'queued', readOnly: true }),
    created: dateTime({ readOnly: true }),
    /** Time of the next attempt; null if there will be none. */
    next_attempt: dateTime({ nullable: true, readOnly: true }),
    completed: dateTime({ nullable: true, readOnly: true }),
    attempt_count: integer({ default: 0, readOnly: true }),
    /** HTTP status of the last response; null if there was none. */
    response_status: integer({ nullable: true, readOnly: true }),
    /** The last attempts: time, request without body and secrets, status, start of the response, error, duration. */
    attempts: list('json', { default: [], blank: true, readOnly: true }),
    /** The event as the rule engine received it. */
    payload: json({ nullable: true, verbatim: true, hidden: true, readOnly: true }),
    /** Values of the rule, which the object's own values override, as they were when it matched. */
    action_data: json({ nullable: true, verbatim: true, hidden: true, readOnly: true }),
    /** The process that is sending it, and the time until which no other process may send it. */
    leased_by: text({ max: 36, nullable: true, hidden: true, readOnly: true, filter: false }),
    leased_until: dateTime({ nullable: true, hidden: true, readOnly: true, filter: false }),
    /** Failed attempts since it was created or replayed. */
    failures: integer({ default: 0, hidden: true, readOnly: true, filter: false }),
  },

  display: '{event_type} {object_type} {object_id}',
  graphql: false,
  brief: ['id', 'url', 'display', 'delivery_id', 'event_type', 'status', 'created'],
  order: ['-created', '-id'],
  search: ['webhook.name', 'object_type'],
  unique: [
    // An index of the deliveries that are not finished.
    { fields: ['webhook', 'next_attempt', 'delivery_id'], whereNotNull: ['next_attempt'] },
    // The same, by object: deliveries that precede another one.
    { fields: ['webhook', 'object_type', 'object_id', 'id'], whereNotNull: ['next_attempt'] },
  ],
  methods: ['GET', 'DELETE'],
})

export const webhookDeliveryModel = registered(webhookDelivery, {
  columns: words('created object_type object event_type webhook status attempt_count response_status'),
  moreColumns: words('event_rule next_attempt completed delivery_id'),
  panels: words(`
    webhook event_rule delivery_id event_type object_type object_id object status next_attempt
    completed response_status
  `),
})

import { fieldGroup, modelView } from '../../schema/view.ts'

export const webhookDeliveryView = modelView('extras.webhookdelivery', {
  columns: ['display', 'delivery_id', 'event_type', 'status', 'created'],
  panels: [
    [
      fieldGroup(
        'Webhook delivery',
        `
          webhook event_rule delivery_id event_type object_type object_id object status next_attempt
          completed response_status attempts
        `,
      ),
    ],
  ],
})

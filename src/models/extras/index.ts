import type { RegisteredModel } from '../../schema/view.ts'
import { bookmarkModel } from './bookmark.ts'
import { computedFieldModel } from './computed-field.ts'
import { configContextModel } from './config-context.ts'
import { configContextProfileModel } from './config-context-profile.ts'
import { configTemplateModel } from './config-template.ts'
import { customFieldModel } from './custom-field.view.ts'
import { customFieldChoiceSetModel } from './custom-field-choice-set.ts'
import { customLinkModel } from './custom-link.ts'
import { dashboard } from './dashboard.ts'
import { dateAction } from './date-action.ts'
import { dynamicGroupModel } from './dynamic-group.ts'
import { eventCursor } from './event-cursor.ts'
import { eventRuleModel } from './event-rule.ts'
import { exportTemplateModel } from './export-template.ts'
import { findingModel } from './finding.ts'
import { imageAttachmentModel } from './image-attachment.ts'
import { journalEntryModel } from './journal-entry.ts'
import { notificationModel } from './notification.ts'
import { notificationGroupModel } from './notification-group.ts'
import { ruleModel } from './rule.ts'
import { ruleTouch } from './rule-touch.ts'
import { savedFilterModel } from './saved-filter.ts'
import { savedViewModel } from './saved-view.ts'
import { scriptModel } from './script.ts'
import { scriptModuleModel } from './script-module.ts'
import { subscriptionModel } from './subscription.ts'
import { tableConfigModel } from './table-config.ts'
import { tagModel } from './tag.ts'
import { taggedItemModel } from './tagged-item.ts'
import { webhookModel } from './webhook.ts'
import { webhookDeliveryModel } from './webhook-delivery.ts'

/** Models that extend the other models, and models for effects of changes. */
export const EXTRAS: readonly RegisteredModel[] = [
  bookmarkModel,
  computedFieldModel,
  configContextModel,
  configContextProfileModel,
  configTemplateModel,
  customFieldModel,
  customFieldChoiceSetModel,
  customLinkModel,
  { model: dashboard },
  { model: dateAction },
  dynamicGroupModel,
  { model: eventCursor },
  eventRuleModel,
  exportTemplateModel,
  findingModel,
  imageAttachmentModel,
  journalEntryModel,
  notificationModel,
  notificationGroupModel,
  ruleModel,
  { model: ruleTouch },
  savedFilterModel,
  savedViewModel,
  scriptModel,
  scriptModuleModel,
  subscriptionModel,
  tableConfigModel,
  tagModel,
  taggedItemModel,
  webhookModel,
  webhookDeliveryModel,
]

import type { RegisteredModel } from '../registered-model.ts'
import { bookmark } from './bookmark.ts'
import { bookmarkView } from './bookmark.view.ts'
import { configContextBehaviour } from './config-context.rules.ts'
import { configContext } from './config-context.ts'
import { configContextView } from './config-context.view.ts'
import { configContextProfileBehaviour } from './config-context-profile.rules.ts'
import { configContextProfile } from './config-context-profile.ts'
import { configContextProfileView } from './config-context-profile.view.ts'
import { configTemplateBehaviour } from './config-template.rules.ts'
import { configTemplate } from './config-template.ts'
import { configTemplateView } from './config-template.view.ts'
import { customFieldBehaviour } from './custom-field.rules.ts'
import { customField } from './custom-field.ts'
import { customFieldView } from './custom-field.view.ts'
import { customFieldChoiceSetBehaviour } from './custom-field-choice-set.rules.ts'
import { customFieldChoiceSet } from './custom-field-choice-set.ts'
import { customFieldChoiceSetView } from './custom-field-choice-set.view.ts'
import { customLink } from './custom-link.ts'
import { customLinkView } from './custom-link.view.ts'
import { dashboard } from './dashboard.ts'
import { eventCursor } from './event-cursor.ts'
import { eventRuleBehaviour } from './event-rule.rules.ts'
import { eventRule } from './event-rule.ts'
import { eventRuleView } from './event-rule.view.ts'
import { exportTemplateBehaviour } from './export-template.rules.ts'
import { exportTemplate } from './export-template.ts'
import { exportTemplateView } from './export-template.view.ts'
import { imageAttachmentBehaviour } from './image-attachment.rules.ts'
import { imageAttachment } from './image-attachment.ts'
import { imageAttachmentView } from './image-attachment.view.ts'
import { journalEntryBehaviour } from './journal-entry.rules.ts'
import { journalEntry } from './journal-entry.ts'
import { journalEntryView } from './journal-entry.view.ts'
import { notificationBehaviour } from './notification.rules.ts'
import { notification } from './notification.ts'
import { notificationView } from './notification.view.ts'
import { notificationGroup } from './notification-group.ts'
import { notificationGroupView } from './notification-group.view.ts'
import { savedFilterBehaviour } from './saved-filter.rules.ts'
import { savedFilter } from './saved-filter.ts'
import { savedFilterView } from './saved-filter.view.ts'
import { scriptBehaviour } from './script.rules.ts'
import { script } from './script.ts'
import { scriptView } from './script.view.ts'
import { scriptModule } from './script-module.ts'
import { scriptModuleView } from './script-module.view.ts'
import { subscription } from './subscription.ts'
import { subscriptionView } from './subscription.view.ts'
import { tableConfigBehaviour } from './table-config.rules.ts'
import { tableConfig } from './table-config.ts'
import { tableConfigView } from './table-config.view.ts'
import { tag } from './tag.ts'
import { tagView } from './tag.view.ts'
import { taggedItem } from './tagged-item.ts'
import { taggedItemView } from './tagged-item.view.ts'
import { webhook } from './webhook.ts'
import { webhookView } from './webhook.view.ts'
import { webhookDelivery } from './webhook-delivery.ts'
import { webhookDeliveryView } from './webhook-delivery.view.ts'

/** What users add to the other models, and what follows from changes. */
export const EXTRAS: readonly RegisteredModel[] = [
  { model: bookmark, view: bookmarkView },
  { model: configContext, behaviour: configContextBehaviour, view: configContextView },
  {
    model: configContextProfile,
    behaviour: configContextProfileBehaviour,
    view: configContextProfileView,
  },
  { model: configTemplate, behaviour: configTemplateBehaviour, view: configTemplateView },
  { model: customField, behaviour: customFieldBehaviour, view: customFieldView },
  {
    model: customFieldChoiceSet,
    behaviour: customFieldChoiceSetBehaviour,
    view: customFieldChoiceSetView,
  },
  { model: customLink, view: customLinkView },
  { model: dashboard },
  { model: eventCursor },
  { model: eventRule, behaviour: eventRuleBehaviour, view: eventRuleView },
  { model: exportTemplate, behaviour: exportTemplateBehaviour, view: exportTemplateView },
  { model: imageAttachment, behaviour: imageAttachmentBehaviour, view: imageAttachmentView },
  { model: journalEntry, behaviour: journalEntryBehaviour, view: journalEntryView },
  { model: notification, behaviour: notificationBehaviour, view: notificationView },
  { model: notificationGroup, view: notificationGroupView },
  { model: savedFilter, behaviour: savedFilterBehaviour, view: savedFilterView },
  { model: script, behaviour: scriptBehaviour, view: scriptView },
  { model: scriptModule, view: scriptModuleView },
  { model: subscription, view: subscriptionView },
  { model: tableConfig, behaviour: tableConfigBehaviour, view: tableConfigView },
  { model: tag, view: tagView },
  { model: taggedItem, view: taggedItemView },
  { model: webhook, view: webhookView },
  { model: webhookDelivery, view: webhookDeliveryView },
]

import type { RegisteredModel } from '../registered-model.ts'
import { bookmark, bookmarkView } from './bookmark.ts'
import { configContext, configContextBehaviour, configContextView } from './config-context.ts'
import {
  configContextProfile,
  configContextProfileBehaviour,
  configContextProfileView,
} from './config-context-profile.ts'
import { configTemplate, configTemplateBehaviour, configTemplateView } from './config-template.ts'
import { customFieldBehaviour } from './custom-field.rules.ts'
import { customField, customFieldView } from './custom-field.ts'
import {
  customFieldChoiceSet,
  customFieldChoiceSetBehaviour,
  customFieldChoiceSetView,
} from './custom-field-choice-set.ts'
import { customLink, customLinkView } from './custom-link.ts'
import { dashboard } from './dashboard.ts'
import { eventCursor } from './event-cursor.ts'
import { eventRule, eventRuleBehaviour, eventRuleView } from './event-rule.ts'
import { exportTemplate, exportTemplateBehaviour, exportTemplateView } from './export-template.ts'
import { imageAttachment, imageAttachmentBehaviour, imageAttachmentView } from './image-attachment.ts'
import { journalEntry, journalEntryBehaviour, journalEntryView } from './journal-entry.ts'
import { notification, notificationBehaviour, notificationView } from './notification.ts'
import { notificationGroup, notificationGroupView } from './notification-group.ts'
import { savedFilter, savedFilterBehaviour, savedFilterView } from './saved-filter.ts'
import { script, scriptBehaviour, scriptView } from './script.ts'
import { scriptModule, scriptModuleView } from './script-module.ts'
import { subscription, subscriptionView } from './subscription.ts'
import { tableConfig, tableConfigBehaviour, tableConfigView } from './table-config.ts'
import { tag, tagView } from './tag.ts'
import { taggedItem, taggedItemView } from './tagged-item.ts'
import { webhook, webhookView } from './webhook.ts'
import { webhookDelivery, webhookDeliveryView } from './webhook-delivery.ts'

/** Models that extend the other models, and models for effects of changes. */
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

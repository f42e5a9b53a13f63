import { behaviour } from '../../schema/rule.ts'
import { imageAttachment } from './image-attachment.ts'
import { namedObjectExists } from './object-exists.rules.ts'

export const imageAttachmentBehaviour = behaviour(imageAttachment, {
  serializerRules: [namedObjectExists('object_type', 'object_id')],
})

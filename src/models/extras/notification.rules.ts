import { behaviour, type Normalizer } from '../../schema/rule.ts'
import { notification } from './notification.ts'
import { modelNamed } from './object-exists.rules.ts'

const LONGEST_TEXT = 200

/** Stores the object's display text, so that the notification can show it after the object is deleted. */
const keepObjectText: Normalizer<typeof notification.fields> = async ({ next, read }) => {
  const found = await read.find(modelNamed(next.object_type), { id: next.object_id })
  return found ? { object_repr: [...found.display].slice(0, LONGEST_TEXT).join('') } : undefined
}

export const notificationBehaviour = behaviour(notification, { beforeSave: [keepObjectText] })

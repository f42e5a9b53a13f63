import { behaviour, type Normalizer } from '../../schema/rule.ts'
import { notification } from './notification.ts'
import { modelNamed } from './object-exists.rules.ts'

const LONGEST_TEXT = 200

/** The notification says what it is about even when the object is gone. */
const keepObjectText: Normalizer<typeof notification.fields> = async ({ next, read }) => {
  const found = await read.find(modelNamed(next.object_type), { id: next.object_id })
  return found ? { object_repr: [...found.display].slice(0, LONGEST_TEXT).join('') } : undefined
}

export const notificationBehaviour = behaviour(notification, { beforeSave: [keepObjectText] })

import { type Content, html } from '../../../pages/html.ts'
import { translate } from '../../../texts/translate.ts'
import { type ApiRequest, lastValue } from '../../api-request.ts'

/** Sentences about the write that led to a page, by the value of `done` in its address. */
const NOTICES = {
  bookmarked: 'Bookmarked.',
  unbookmarked: 'The bookmark was removed.',
  subscribed: 'You will be notified of changes.',
  unsubscribed: 'You will no longer be notified of changes.',
  'journal-entry': 'The journal entry was added.',
  image: 'The image was added.',
  queued: 'The job was queued.',
  replayed: 'The delivery will be sent again.',
  canceled: 'No further attempt will be made.',
  stopped: 'The job was stopped.',
} as const

export type NoticeName = keyof typeof NOTICES

/** A sentence about the write that led to this page. */
export function noticeOf({ search }: ApiRequest): Content {
  const name = lastValue(search, 'done')
  if (name === undefined || !Object.hasOwn(NOTICES, name)) return undefined
  // A key of the table, as was just checked.
  return html`<p class="notice good" role="status">${translate(NOTICES[name as NoticeName])}</p>`
}

/** The address with the sentence that its page shows. */
export const withNotice = (path: string, name: NoticeName): string => `${path}?done=${name}`

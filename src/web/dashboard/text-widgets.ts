import { stringsIn } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { asOwner } from '../account/own-objects.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { numberInOption, type WidgetKind } from '../frame/widget.ts'
import { html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'
import { listOrNothing, numberControl } from './object-widgets.ts'

/** A note in Markdown. */
export const NOTE: WidgetKind = {
  label: 'Note',
  help: 'Your own text, in Markdown',
  width: 4,
  controls: (_request, { content }) => [
    {
      name: 'content',
      label: translate('Text'),
      help: 'Markdown',
      input: { kind: 'lines', value: String(content ?? ''), rows: 8 },
    },
  ],
  configOf: (texts) => ({ content: texts('content').at(-1) ?? '' }),
  content: async (_request, { content }) => renderedMarkdown(String(content ?? '')),
}

const BOOKMARKS = 10
const MOST_BOOKMARKS = 100
const ORDERS = { newest: '-created', oldest: 'created' } as const

/** The user's bookmarks. */
export const BOOKMARK_LIST: WidgetKind = {
  label: 'Bookmarks',
  help: 'Objects that you have bookmarked',
  width: 4,
  controls: (_request, { max_items }) => [numberControl('max_items', max_items, BOOKMARKS)],
  configOf: (texts) => ({
    object_types: [],
    order_by: 'newest',
    max_items: numberInOption(texts('max_items').at(-1), BOOKMARKS, MOST_BOOKMARKS),
  }),
  content: async (request, { max_items, object_types, order_by }) => {
    if (request.actor.kind !== 'user') return undefined
    const model = request.service.registry.model(SYSTEM.bookmark)
    const query = new URLSearchParams({
      limit: String(numberInOption(max_items, BOOKMARKS, MOST_BOOKMARKS)),
      ordering: order_by === 'oldest' ? ORDERS.oldest : ORDERS.newest,
    })
    for (const type of stringsIn(object_types)) query.append('object_type', type)
    const { table, objects } = await objectRows(asOwner(request, model), model, {
      query,
      columns: ['object'],
      label: translate('Bookmarks'),
    })
    return listOrNothing(objects.length === 0, table)
  },
}

/** The URL of a feed. The service does not fetch it: pages contain only content of this service. */
export const FEED: WidgetKind = {
  label: 'Link to a feed',
  help: 'A link; feeds of other hosts are not fetched',
  width: 4,
  controls: (_request, { feed_url }) => [
    {
      name: 'feed_url',
      label: translate('Address'),
      input: { kind: 'text', type: 'url', value: String(feed_url ?? '') },
    },
  ],
  configOf: (texts) => ({ feed_url: texts('feed_url').at(-1)?.trim() ?? '' }),
  content: async (_request, { feed_url }) => {
    const address = String(feed_url ?? '')
    return /^https?:\/\//i.test(address)
      ? html`<p><a href="${address}" rel="noreferrer nofollow">${address}</a></p>`
      : undefined
  },
}

import type { ApiRequest } from '../../api/api-request.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { FilteredList } from '../data/count-lists.ts'
import type { ObjectTab, RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { addAddress } from '../object-parts/add-child.ts'
import { listByRelation } from '../object-parts/children.ts'
import { translate } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'

const COLUMNS = ['contact', 'contact.title', 'contact.phone', 'contact.email', 'role', 'priority']

const assignmentsOf = listByRelation(SYSTEM.contactAssignment, 'object')

/** Contacts of the object, and of the nodes above it. */
export const contactsTab: ObjectTab = {
  models: (model) => model.has('contacts'),
  path: 'contacts',
  label: () => translate('Contacts'),
  list: assignmentsOf,
  isCounted: true,
  load: async (page) => {
    const { request, model, object } = page
    const list = assignmentsOf(request.service.registry, model, object)
    const query = new URLSearchParams(list.query)
    const above = await nodesAbove(request, model, Number(object.id))
    for (const id of above) query.append('object_id', String(id))
    const columns = above.length > 0 ? ['object', ...COLUMNS] : COLUMNS
    const {
      objects,
      table: rows,
      extent,
    } = await listWindow(request, query, (window) =>
      objectRows(request, list.model, { query: window, columns, label: translate('Contacts') }),
    )
    return {
      content: html`${addLink(page, list)}
${objects.length === 0 ? html`<p class="notice">${translate('No contacts are assigned.')}</p>` : html`${extent}${rows}`}`,
    }
  },
}

/** Ids of the nodes between the root of the model's tree and the object, which inherits their contacts. */
async function nodesAbove({ service }: ApiRequest, model: Model, id: number): Promise<readonly number[]> {
  if (!model.definition.tree) return []
  const ids = await cachedNumbers(
    service,
    sql`select unnest(t._ancestors) from ${table(model)} t where t.id = ${id}::bigint`,
  )
  return ids.map(Number).filter((other) => other !== id)
}

const addLink = (page: RequestedObject, list: FilteredList): Content => {
  const address = addAddress(page, list)
  return (
    address !== undefined &&
    html`<div class="list-head"><div class="actions"><a class="button" href="${address}">${translate('Add a contact')}</a></div></div>`
  )
}

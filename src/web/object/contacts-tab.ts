import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Content, html } from '../components/html.ts'
import { readOne } from '../frame/inner-request.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'
import { listWindow } from './list-window.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'
import { listQueryOf } from './tabs.ts'

const COLUMNS = ['contact', 'contact.title', 'contact.phone', 'contact.email', 'role', 'priority']

/** GET of `…/<id>/contacts/`: contacts of the object, and of the nodes above it. */
export const contactsTab: ModelPage = async (frame, request, model) => {
  const { service, actor } = request
  const assignments = service.registry.model(SYSTEM.contactAssignment)
  requirePermission(actor, 'view', assignments, service.settings)
  const { object } = await readOne(request, model)
  const query = listQueryOf(assignments, 'object', model, object)
  const above = await nodesAbove(request, model, Number(object.id))
  for (const id of above) query.append('object_id', String(id))
  const columns = above.length > 0 ? ['object', ...COLUMNS] : COLUMNS
  const {
    objects,
    table: rows,
    extent,
  } = await listWindow(request, query, (asked) =>
    objectRows(request, assignments, { query: asked, columns, label: translate('Contacts') }),
  )
  const body = html`${addLink(request, assignments, listQueryOf(assignments, 'object', model, object))}
${objects.length === 0 ? html`<p class="notice">${translate('No contacts are assigned.')}</p>` : html`${extent}${rows}`}`
  return await objectFrame(frame, request, model, object, {
    path: 'contacts',
    label: translate('Contacts'),
    body,
  })
}

/** Ids of the nodes between the root of the model's tree and the object: its contacts are theirs too. */
async function nodesAbove(
  { service }: ApiRequest,
  model: Model,
  id: number,
): Promise<readonly number[]> {
  if (!model.definition.tree) return []
  const ids = await cachedNumbers(
    service,
    sql`select unnest(t._ancestors) from ${table(model)} t where t.id = ${id}::bigint`,
  )
  return ids.map(Number).filter((each) => each !== id)
}

const addLink = (
  { actor, service }: ApiRequest,
  assignments: Model,
  given: URLSearchParams,
): Content =>
  mayAct(actor, 'add', assignments, service.settings) &&
  html`<div class="list-head"><div class="actions"><a class="button" href="${service.settings.basePath}${pagePathOf(assignments)}add/?${String(given)}">${translate('Add a contact')}</a></div></div>`

import { type DueObject, dueObjects } from '../../automation/event-rules/due-objects.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { humanize } from '../components/humanize.ts'
import { shownTitle } from '../components/model-title.ts'
import { objectTable } from '../components/object-table.ts'
import { panel } from '../components/panel.ts'
import { timestampDisplay } from '../components/value.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectTab, PageObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'

/** Objects of each list on the page. */
const ROWS = 50

/** The objects on whose dates a rule will act, and those on which it has acted. */
export const dueTab: ObjectTab = {
  models: [SYSTEM.eventRule],
  path: 'due',
  label: () => translate('Due'),
  count: async ({ request: { service, actor }, object }) => {
    if (object.date_field === '') return undefined
    const security = rowSecurityOf(actor, service.registry, service.settings)
    return (await dueObjects(service, security, Number(object.id), { acted: false, limit: 0, offset: 0 })).count
  },
  load: async (page) => {
    const [waiting, past] = await Promise.all([listOf(page, false), listOf(page, true)])
    return { content: html`${waiting}${past}` }
  },
}

async function listOf(page: PageObject, acted: boolean): Promise<Content> {
  const { request, object } = page
  const { service, actor } = request
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const list = await dueObjects(service, security, Number(object.id), { acted, limit: ROWS, offset: 0 })
  const title = acted ? translate('Acted') : translate('Due')
  if (list.count === 0) return panel(title, html`<p class="muted">${translate('None')}</p>`)
  const names = await namesOf(page, list.objects)
  const table = objectTable({
    label: title,
    columns: [
      { name: 'object', label: translate('Object') },
      { name: 'field', label: translate('Field') },
      { name: 'date', label: translate('Date') },
      { name: 'due', label: acted ? translate('Acted') : translate('Due') },
    ],
    rows: list.objects.map((due) => ({
      id: `${due.type} ${due.id}`,
      label: names.get(`${due.type} ${due.id}`)?.text ?? '',
      cells: [
        names.get(`${due.type} ${due.id}`)?.link,
        humanize(due.field.replace(/^cf_/, '')),
        due.date.length > 10 ? timestampDisplay(due.date) : due.date,
        timestampDisplay(due.acted ?? due.due),
      ],
    })),
  })
  return panel(title, html`${table}${list.count > ROWS && html`<p>${numeral(list.count)}</p>`}`)
}

/** Links to the objects with their types, by type and id. */
async function namesOf(
  { request }: PageObject,
  objects: readonly DueObject[],
): Promise<ReadonlyMap<string, { readonly text: string; readonly link: Content }>> {
  const { registry, settings } = request.service
  const names = new Map<string, { readonly text: string; readonly link: Content }>()
  for (const [type, list] of Map.groupBy(objects, (object) => object.type)) {
    const model = registry.model(type)
    const ids = list.map(({ id }) => id)
    for (const [id, { display }] of await visibleObjects(request, model, ids, ['id', 'display'])) {
      const text = `${shownTitle(model)} ${display}`
      names.set(`${type} ${id}`, {
        text,
        link: html`<a href="${settings.basePath}${pagePathOf(model)}${id}/"><bdi>${text}</bdi></a>`,
      })
    }
  }
  return names
}

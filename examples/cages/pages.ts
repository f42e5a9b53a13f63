import { type ApiRequest, pagePathOf, readerOf, requirePermission, settingsOfPack, sql, table } from 'cadastre'
import { html, numeral, type PageResponse, packPages, translateLabel } from 'cadastre/web'

const CAGE = 'cages.cage'
const FREE = '/plugins/cages/free/'

/** The number of free cages by location that the reader may see, for some locations or all. */
async function freeCages(request: ApiRequest, location?: number) {
  return await readerOf(request).rows<readonly [id: number, name: string, count: number]>(sql`
    select l.id, l.name, count(*)::int from ${table(CAGE)} c join ${table('dcim.location')} l on l.id = c.location_id
    where c.status = 'free' and l.id = coalesce(${location ?? null}::bigint, l.id) group by l.id, l.name order by l.name, l.id`)
}

/** GET: the locations with free cages. */
async function freePage(request: ApiRequest): Promise<PageResponse> {
  const { actor, service } = request
  requirePermission(actor, 'view', service.registry.model(CAGE), service.settings)
  const locations = `${service.settings.basePath}${pagePathOf(service.registry.model('dcim.location'))}`
  const title = translateLabel('Free cages')
  return {
    title,
    styles: ['objects.css', 'cages.css'],
    breadcrumbs: [{ label: title, path: FREE }],
    body: html`<h1>${title}</h1><ul class="cages">${(await freeCages(request)).map(
      ([id, name, count]) => html`<li><a href="${locations}${id}/"><bdi>${name}</bdi></a> ${numeral(count)}</li>`,
    )}</ul>`,
  }
}

export default packPages({
  pages: [[FREE, 'GET', freePage]],
  parts: [
    {
      models: ['dcim.location'],
      load: async ({ request, object }) => {
        const [row] = await freeCages(request, Number(object.id))
        const { warn_below: least } = await settingsOfPack(request.service, 'cages')
        const count = row?.[2] ?? 0
        return count >= Number(least)
          ? {}
          : { top: html`<p class="notice warn">${translateLabel('Free cages')}: ${numeral(count)}</p>` }
      },
    },
  ],
  listLinks: [
    ({ service }, { name }) =>
      name === CAGE &&
      html`<a class="button quiet" href="${service.settings.basePath}${FREE}">${translateLabel('Free cages')}</a>`,
  ],
  widgets: {
    'cages.FreeWidget': {
      label: 'Free cages',
      help: 'Free cages by location',
      width: 4,
      controls: () => [],
      configOf: () => ({}),
      content: async (request) => {
        const rows = await freeCages(request)
        return rows.length > 0
          ? html`<ul>${rows.map(([, name, count]) => html`<li><bdi>${name}</bdi> ${numeral(count)}</li>`)}</ul>`
          : undefined
      },
    },
  },
})

/** Rules of floor plans, and their drawing as a file. */
import { readFileSync } from 'node:fs'
import {
  type ApiRequest,
  action,
  behaviourOf,
  type ColumnOf,
  derived,
  type HttpResponse,
  packCode,
  sql,
} from 'cadastre'
import { drawingOf, IMAGE, PLAN, readPlan } from './drawing.ts'

const hasFile = (column: ColumnOf) => sql`${column('file')} <> ''`

async function svg(request: ApiRequest): Promise<HttpResponse> {
  const [id = ''] = request.parameters
  const plan = await readPlan(request, /^\d{1,15}$/.test(id) ? Number(id) : 0)
  const styles = readFileSync(new URL('floorplan.css', import.meta.url), 'utf8').replace(
    /var\(--[^,()]*, ([^)]*)\)/g,
    '$1',
  )
  return { status: 200, type: 'image/svg+xml', body: String(drawingOf(plan, styles)) }
}

export default packCode({
  fields: {
    [IMAGE]: {
      file_url: derived('text', (column) => sql`case when ${hasFile(column)} then '/media/' || ${column('file')} end`, {
        nullable: true,
        label: 'File URL',
      }),
      filename: derived('text', (column) => sql`regexp_replace(coalesce(${column('file')}, ''), '^.*/', '')`, {
        label: 'File name',
      }),
    },
  },
  behaviours: [
    behaviourOf(IMAGE, {
      modelRules: [
        ({ next: { file, external_url: link } }) => {
          const isFile = file !== '' && file !== null
          if (isFile && link !== '') return { external_url: 'An image has a file or a link, not both.' }
          return isFile || link !== '' ? undefined : { file: 'An image needs a file or a link.' }
        },
      ],
    }),
    behaviourOf(PLAN, {
      modelRules: [
        ({ next: { site, location } }) => {
          if (site === null && location === null)
            return { __all__: 'Either site or location must be set for a floorplan' }
          return site === null || location === null
            ? undefined
            : { location: 'A floor plan belongs to a site or to a location, not to both.' }
        },
      ],
    }),
  ],
  actions: [
    action({
      path: 'plugins/floorplan/floorplans/:id/svg',
      title: 'Drawing of a floor plan',
      description: 'The drawing of a floor plan.',
      methods: { GET: { handle: svg, permission: { view: PLAN }, otherTypes: ['image/svg+xml'] } },
    }),
  ],
})

/** Templates of labels, and the labels as PDF and SVG. */
import { type ApiRequest, action, behaviourOf, type HttpResponse, invalid, packCode } from 'cadastre'
import { drawLabel, svgOf } from './layout.ts'
import { pdfOf } from './pdf.ts'
import { designOf, encodedLabels, filledLabels, sheetOf, TEMPLATE, templateOf, textProblem } from './render.ts'

/** Parameters besides the filters of the list of objects. */
const OWN = ['copies', 'skip', 'ends']

/** The value of a parameter that is a whole number. Throws `invalid`. */
function numberIn({ search }: ApiRequest, name: string, fallback: number, most: number): number {
  const text = search.get(name)
  if (text === null || text === '') return fallback
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value <= most) return value
  throw invalid({ [name]: [`Expected a whole number from 0 to ${most}.`] })
}

function filtersOf({ search }: ApiRequest): URLSearchParams {
  const filters = new URLSearchParams(search)
  for (const name of OWN) filters.delete(name)
  return filters
}

async function pdf(request: ApiRequest): Promise<HttpResponse> {
  const template = await templateOf(request)
  const design = designOf(template)
  const copies = Math.max(1, numberIn(request, 'copies', 1, 100))
  const bothEnds = request.search.get('ends') !== 'a'
  const labels = await filledLabels(request, template, filtersOf(request), { bothEnds })
  const sheet = sheetOf(template)
  const skipped = numberIn(request, 'skip', 0, 1000)
  // Before the response begins, so that a code that cannot be made is refused.
  const encoded = await encodedLabels(design, sheet, labels, copies)
  return {
    status: 200,
    type: 'application/pdf',
    body: pdfOf(design, sheet, encoded, { copies, skipped }),
    headers: { 'Content-Disposition': 'inline; filename="labels.pdf"', 'Cache-Control': 'no-store' },
  }
}

async function svg(request: ApiRequest): Promise<HttpResponse> {
  const template = await templateOf(request)
  const design = designOf(template)
  const [label] = await filledLabels(request, template, filtersOf(request), { most: 1, bothEnds: false })
  if (!label) throw invalid({ id: ['There is no such object.'] })
  return { status: 200, type: 'image/svg+xml', body: svgOf(design, drawLabel(design, label.content)) }
}

const parameter = (name: string, description: string) => ({
  ...{ name, in: 'query', description },
  schema: { type: 'integer', minimum: 0 },
})
const ids = { name: 'id', in: 'query', schema: { type: 'array', items: { type: 'integer' } } }

export default packCode({
  behaviours: [
    behaviourOf(TEMPLATE, {
      afterWrite: [
        async ({ rows, stored }) => {
          for (const { next } of rows) {
            for (const name of next ? ['text', 'code_content'] : []) {
              const problem = textProblem(stored.registry, String(next?.object_type), String(next?.[name]))
              if (problem !== undefined) throw invalid({ [name]: [problem] })
            }
          }
        },
      ],
    }),
  ],
  actions: [
    action({
      path: 'plugins/labels/label-templates/:id/pdf',
      title: 'Labels as PDF',
      description: 'Labels of the objects that the filters of their list select.',
      methods: {
        GET: {
          handle: pdf,
          permission: { view: TEMPLATE },
          parameters: [ids, parameter('copies', 'Of each label'), parameter('skip', 'Used places of the first sheet')],
          otherTypes: ['application/pdf'],
        },
      },
    }),
    action({
      path: 'plugins/labels/label-templates/:id/svg',
      title: 'Label as SVG',
      description: 'The label of one object.',
      methods: {
        GET: { handle: svg, permission: { view: TEMPLATE }, parameters: [ids], otherTypes: ['image/svg+xml'] },
      },
    }),
  ],
})

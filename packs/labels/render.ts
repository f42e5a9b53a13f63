/** Labels of objects: a template, filled with what the sender may view. */
import {
  ApiError,
  type ApiRequest,
  expressionProblem,
  firstCharacters,
  invalid,
  type Registry,
  readerOf,
  sql,
  table,
} from 'cadastre'
import { type Design, type LabelContent, modulesOf } from './layout.ts'
import { type EncodedLabel, pauses, placesOn, type Sheet } from './pdf.ts'
import { shortAddress } from './short-address.ts'
import { partsOf, type TextPart } from './text.ts'

export const TEMPLATE = 'labels.labeltemplate'
const CABLE = 'dcim.cable'

/** Most objects of one request, and labels of one file. */
const MOST = 5_000
const MOST_IN_FILE = 10_000
/** Most characters of the labels of one file, and of one page: a character takes about 500 bytes as an outline. */
const MOST_CHARACTERS = 600_000
const MOST_ON_PAGE = 50_000
/** Most characters of a value, lines of a label, and characters of a line. */
const LONGEST_VALUE = 2_000
const MOST_LINES = 50
const LONGEST_LINE = 500
/** Objects whose values are read at a time. */
const PART = 200
/** Names that stand for the ends of a cable, seen from the end to which the label is fixed. */
const ENDS: ReadonlySet<string> = new Set(['near', 'far'])

/** A stored template. */
export type Template = Readonly<Record<string, unknown>> & { readonly object_type: string }

/** Why a text cannot be filled for objects of the type; undefined if it can. */
export function textProblem(registry: Registry, type: string, source: string): string | undefined {
  const model = registry.models.get(type)
  if (!model || model.path === '') return undefined
  const parts = partsOf(source)
  if (!parts) return 'Close each brace, and write {{ for a brace itself.'
  for (const part of parts) {
    if ('text' in part || (type === CABLE && ENDS.has(part.expression))) continue
    const problem = expressionProblem(model, part.expression)
    if (problem !== undefined) return `{${part.expression}}: ${problem}`
  }
  return undefined
}

export function designOf(template: Template): Design {
  const number = (name: string) => Number(template[name])
  return {
    ...{ width: number('width'), height: number('height'), margin: number('margin'), fontSize: number('font_size') },
    ...{ isBold: template.bold === true, align: template.align as Design['align'] }, // as the model declares them
    code: template.code as Design['code'],
    codePosition: template.code_position as Design['codePosition'],
    codeSize: template.code_size === null ? undefined : number('code_size'),
  }
}

export function sheetOf(template: Template): Sheet | undefined {
  if (template.medium !== 'sheet') return undefined
  const number = (name: string) => Number(template[name])
  return {
    ...{ width: number('page_width'), height: number('page_height'), top: number('page_top') },
    ...{ left: number('page_left'), gapX: number('gap_x'), gapY: number('gap_y') },
  }
}

/** The template with the id in the path. Throws `notFound`. */
export async function templateOf(request: ApiRequest): Promise<Template> {
  const id = /^\d{1,15}$/.test(request.parameters[0] ?? '') ? request.parameters[0] : undefined
  const template = id && (await readerOf(request).objects(TEMPLATE, new URLSearchParams({ id })))[0]
  if (!template) throw new ApiError({ kind: 'notFound', detail: 'No label template matches the given query.' })
  return template as Template // its object type is required
}

/** A label that can be drawn. */
export interface FilledLabel {
  readonly id: number
  readonly name: string
  readonly content: LabelContent
}

/** The labels of the objects that filters of their list select; two for each cable, if both ends are wanted. */
export async function filledLabels(
  request: ApiRequest,
  template: Template,
  filters: URLSearchParams,
  { most = MOST, bothEnds = true } = {},
): Promise<readonly FilledLabel[]> {
  const { registry } = request.service
  const type = template.object_type
  const model = registry.models.get(type)
  if (!model || model.path === '') throw invalid({ object_type: [`There is no object type ${type}.`] })
  const texts = [String(template.text), String(template.code_content)].map((source) => partsOf(source) ?? [])
  for (const source of [template.text, template.code_content]) {
    const problem = textProblem(registry, type, String(source))
    if (problem !== undefined) throw invalid({ text: [problem] })
  }
  const reader = readerOf(request)
  const condition = (await reader.condition(type, filters)) ?? sql`true`
  const rows = await reader.rows<[id: number]>(
    sql`select t.id from ${table(type)} t where ${condition} order by t.id limit ${most + 1}::integer`,
  )
  if (rows.length > most) throw invalid({ detail: `At most ${most} labels fit into one request.` })
  const ids = rows.map(([id]) => Number(id))
  const expressions = ['display', ...texts.flat().flatMap((part) => ('text' in part ? [] : [part.expression]))]
  const names = [...new Set(expressions)]
  const columns = names.map((name) => (type === CABLE && ENDS.has(name) ? 'id' : name))
  const labels: FilledLabel[] = []
  let characters = 0
  for (let from = 0; from < ids.length; from += PART) {
    const part = ids.slice(from, from + PART)
    const values = await reader.values(type, part, columns, { longest: LONGEST_VALUE })
    const ends = type === CABLE ? await endsOf(request, part) : new Map<number, Ends>()
    for (const id of part) {
      const row = values.get(id)
      if (!row) continue
      const byExpression = new Map(names.map((name, index) => [name, row[index] ?? '']))
      const address = `${request.base}/q/${shortAddress(type, id)}`
      for (const side of type === CABLE && bothEnds ? ([0, 1] as const) : ([0] as const)) {
        const both = ends.get(id)
        if (both) {
          byExpression.set('near', both[side])
          byExpression.set('far', both[side === 0 ? 1 : 0])
        }
        const [text = '', code = ''] = texts.map((parts) => filled(parts, byExpression))
        const content = { lines: linesOf(text), code: code || address }
        labels.push({ id, name: byExpression.get('display') ?? '', content })
        characters += charactersIn(content)
        requireFit('text', characters, MOST_CHARACTERS, 'one file')
      }
    }
  }
  return labels
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => firstCharacters(line.trim(), LONGEST_LINE))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES)

/** The size of a label in characters. */
export const charactersIn = ({ lines, code }: LabelContent): number =>
  lines.reduce((sum, line) => sum + line.length, code.length)

function requireFit(field: string, characters: number, most: number, where: string): void {
  if (characters <= most) return
  throw invalid({
    [field]: [`At most ${most} characters fit into ${where}. Print fewer labels at a time, or shorten their text.`],
  })
}

const filled = (parts: readonly TextPart[], values: ReadonlyMap<string, string>): string =>
  parts.map((part) => ('text' in part ? part.text : (values.get(part.expression) ?? ''))).join('')

type Ends = readonly [a: string, b: string]

/** The names of both ends of cables, as far as the sender may view them. */
async function endsOf(request: ApiRequest, ids: readonly number[]): Promise<ReadonlyMap<number, Ends>> {
  const filters = new URLSearchParams(ids.map((id) => ['id', String(id)]))
  const cables = ids.length === 0 ? [] : await readerOf(request).objects(CABLE, filters)
  return new Map(cables.map((cable) => [Number(cable.id), [endOf(cable.a_terminations), endOf(cable.b_terminations)]]))
}

/** Such as `hh-switch Gi1/0/1`. */
function endOf(terminations: unknown): string {
  const list: readonly { readonly object?: Named & { readonly device?: Named } }[] = Array.isArray(terminations)
    ? terminations
    : []
  const names = list.flatMap(({ object }) => {
    const name = [object?.device?.display, object?.display].filter((part) => part !== undefined).join(' ')
    return name === '' ? [] : [name]
  })
  return names.join(', ')
}

interface Named {
  readonly display?: string
}

/** The labels with their codes. Throws `invalid` if they do not fit into a file, or a code cannot contain its text. */
export async function encodedLabels(
  design: Design,
  sheet: Sheet | undefined,
  labels: readonly FilledLabel[],
  copies: number,
): Promise<readonly EncodedLabel[]> {
  if (labels.length * copies > MOST_IN_FILE)
    throw invalid({ copies: [`At most ${MOST_IN_FILE} labels fit into one file.`] })
  const sizes = labels.map(({ content }) => charactersIn(content))
  requireFit('copies', copies * sizes.reduce((sum, size) => sum + size, 0), MOST_CHARACTERS, 'one file')
  const places = sheet ? placesOn(sheet, design).length : 1
  requireFit('text', Math.min(places, labels.length * copies) * Math.max(...sizes, 0), MOST_ON_PAGE, 'one page')
  const pause = pauses()
  const encoded: EncodedLabel[] = []
  for (const { content } of labels) {
    encoded.push({ content, modules: modulesOf(design, content) })
    await pause()
  }
  return encoded
}

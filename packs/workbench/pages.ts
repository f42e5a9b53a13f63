/** A tab of prefixes on which they are split, merged, resized and renumbered, with a preview. */
import {
  ApiError,
  type ApiRequest,
  type Interface,
  isJsonObject,
  type JsonObject,
  pagePathOf,
  readerOf,
  sql,
  storedInterface,
  table,
  widthOf,
} from 'cadastre'
import {
  type Control,
  controlField,
  type Html,
  html,
  noticeParameters,
  type ObjectTab,
  type PageObject,
  packPages,
  panel,
  seeOther,
  sentenceOf,
  type Text,
  translate,
} from 'cadastre/web'
import { askPages } from './ask-page.ts'
import { PREFIX } from './contents.ts'
import { previewOf, TITLES } from './preview.ts'
import { type Reshaped, reshape } from './reshape.ts'
import { OPERATIONS, type Operation } from './wishes.ts'

/** Prefixes that the form offers to merge, at most. */
const MOST_OFFERED = 64

const reshapeTab: ObjectTab = {
  models: [PREFIX],
  path: 'reshape',
  label: () => translate('Reshape'),
  permission: 'change',
  methods: 'GET POST',
  load: async (page) => {
    const { request, model, object } = page
    const { search, service } = request
    const operation = OPERATIONS.find((name) => name === search.get('operation'))
    const forms = await formsOf(page, operation)
    if (!operation) return { content: forms, styles: STYLES }
    const isConfirmed = request.method === 'POST'
    const outcome = await attempt(request, operation, object, isConfirmed)
    if ('refusal' in outcome) {
      const notice = html`<p class="notice bad" role="alert">${translate('This cannot be done.')} ${outcome.refusal}</p>`
      return { content: html`${notice}${forms}`, styles: STYLES, status: isConfirmed ? 400 : 200 }
    }
    if (!isConfirmed) return { content: html`${previewOf(page, operation, outcome)}${forms}`, styles: STYLES }
    const gone = outcome.plan.remove.some(({ id }) => id === outcome.prefix.id)
    const address = `${service.settings.basePath}${pagePathOf(model)}${gone ? '' : `${Number(object.id)}/`}`
    return seeOther(`${address}?${new URLSearchParams(noticeParameters('done', { undo: request }))}`)
  },
}

const STYLES = ['objects.css', 'lists.css', 'edit.css', 'inputs.css', 'addresses.css', 'workbench.css'] as const

/** Tries an operation, or carries it out. */
async function attempt(
  request: ApiRequest,
  operation: Operation,
  object: JsonObject,
  isConfirmed: boolean,
): Promise<Reshaped | { readonly refusal: string }> {
  const body = { ...FORMS[operation].body(request.search), dry_run: !isConfirmed }
  try {
    return await reshape({ ...request, parameters: [String(object.id)] }, operation, body)
  } catch (error) {
    if (!(error instanceof ApiError) || !['invalid', 'inUse', 'forbidden'].includes(error.reason.kind)) throw error
    return { refusal: sentenceOf(error) }
  }
}

interface OperationForm {
  readonly help: Text
  /** The options of a query. */
  readonly body: (search: URLSearchParams) => JsonObject
}

const listIn = (search: URLSearchParams, name: string): readonly string[] =>
  search.getAll(name).flatMap((text) => text.split(/[\s,]+/).filter(Boolean))

/** A network, or its length alone, such as `/23`. */
function networkIn(search: URLSearchParams): JsonObject {
  const text = (search.get('prefix') ?? '').trim()
  const [, length] = /^\/?(\d{1,3})$/.exec(text) ?? []
  return length === undefined ? { prefix: text } : { length: Number(length) }
}

/** The boxes that are ticked, as flags. */
const flagsIn = (search: URLSearchParams, names: readonly string[]): JsonObject => {
  const ticked = new Set(search.getAll('with'))
  return Object.fromEntries(names.map((name) => [name, ticked.has(name)]))
}

const FORMS: Readonly<Record<Operation, OperationForm>> = {
  split: {
    help: 'Into all parts of a size, or into some of them.',
    body: (search) => {
      const prefixes = listIn(search, 'prefixes')
      const parts = prefixes.length > 0 ? { prefixes } : { length: Number(search.get('length')) }
      return { ...parts, original: search.get('original') ?? 'container', ...flagsIn(search, ['masks']) }
    },
  },
  merge: {
    help: 'With prefixes beside it, or prefixes within it into this one. The others are deleted.',
    body: (search) => ({ prefixes: listIn(search, 'prefixes').map(Number), ...flagsIn(search, ['masks']) }),
  },
  resize: {
    help: 'To a larger or smaller network around or within this one.',
    body: (search) => ({ ...networkIn(search), ...flagsIn(search, ['take_in', 'masks']) }),
  },
  renumber: {
    help: 'To a free network of the same size or a larger one, with what it contains.',
    body: (search) => ({
      prefix: (search.get('prefix') ?? '').trim(),
      ...flagsIn(search, ['children', 'ranges', 'addresses', 'names']),
    }),
  },
}

const FLAGS = {
  masks: 'Adapt the masks of its addresses and ranges',
  take_in: 'Take in prefixes that are there already',
  children: 'Prefixes',
  ranges: 'Ranges',
  addresses: 'Addresses',
  names: 'DNS names',
} as const satisfies Readonly<Record<string, Text>>

/** The forms of all operations; that of the chosen one keeps what was entered. */
async function formsOf(page: PageObject, chosen: Operation | undefined): Promise<Html> {
  const network = storedInterface(String(page.object.prefix))
  const candidates = await mergeCandidates(page, network)
  return html`<div class="panels reshape">${OPERATIONS.map((operation) => {
    const search = operation === chosen ? page.request.search : undefined
    const controls = controlsOf(operation, network, candidates, search)
    if (controls.length === 0) return undefined
    const { help } = FORMS[operation]
    const isFirst = operation === (chosen ?? 'split')
    return panel(
      translate(TITLES[operation]),
      html`<p class="muted">${translate(help)}</p><form method="get" class="reshape-form"><input type="hidden" name="operation" value="${operation}">${controls.map((control) => controlField(control, operation))}<div class="buttons"><button${!isFirst && html` class="quiet"`}>${translate('Preview')}</button></div></form>`,
    )
  })}</div>`
}

function controlsOf(
  operation: Operation,
  network: Interface,
  candidates: readonly Candidate[],
  search: URLSearchParams | undefined,
): readonly Control[] {
  const text = (name: string, label: string, help?: string): Control => ({
    ...{ name, label, help },
    input: { kind: 'text', type: 'text', value: search?.get(name) ?? '' },
  })
  const flags = (label: string, names: readonly (keyof typeof FLAGS)[], ticked: readonly string[]): Control => ({
    ...{ name: 'with', label },
    input: {
      kind: 'checks',
      options: names.map((value) => ({ value, label: translate(FLAGS[value]) })),
      chosen: search?.getAll('with') ?? ticked,
    },
  })
  const width = widthOf(network.family)
  switch (operation) {
    case 'split': {
      const lengths = Array.from(
        { length: Math.min(10, width - network.length) },
        (_, index) => network.length + index + 1,
      )
      if (lengths.length === 0) return []
      const kept = [
        ['container', translate('stays around them as a container')],
        ['first', translate('becomes the first of them')],
        ['delete', translate('is deleted')],
      ] as const
      return [
        {
          ...{ name: 'length', label: translate('Length of the new prefixes') },
          input: {
            kind: 'select',
            options: lengths.map((length) => ({
              value: String(length),
              label: translate('/{length}: {count} prefixes', { length, count: 2 ** (length - network.length) }),
            })),
            chosen: [search?.get('length') ?? ''],
          },
        },
        text(
          'prefixes',
          translate('Only these prefixes'),
          translate('Networks, separated by spaces; instead of a length.'),
        ),
        {
          ...{ name: 'original', label: translate('This prefix') },
          input: {
            kind: 'select',
            options: kept.map(([value, label]) => ({ value, label })),
            chosen: [search?.get('original') ?? 'container'],
          },
        },
        flags(translate('Options'), ['masks'], ['masks']),
      ]
    }
    case 'merge':
      if (candidates.length === 0) return []
      return [
        {
          ...{ name: 'prefixes', label: translate('With') },
          input: {
            kind: 'checks',
            options: candidates.map(({ id, text: label }) => ({ value: String(id), label })),
            chosen:
              search?.getAll('prefixes') ?? candidates.filter(({ isChild }) => isChild).map(({ id }) => String(id)),
          },
        },
        flags(translate('Options'), ['masks'], ['masks']),
      ]
    case 'resize':
      return [
        text(
          'prefix',
          translate('New prefix or length'),
          translate('Such as {example}.', { example: `/${network.length - 1}` }),
        ),
        flags(translate('Options'), ['masks', 'take_in'], ['masks']),
      ]
    case 'renumber':
      return [
        text('prefix', translate('New prefix')),
        flags(
          translate('Moves along'),
          ['children', 'ranges', 'addresses', 'names'],
          ['children', 'ranges', 'addresses', 'names'],
        ),
      ]
  }
}

interface Candidate {
  readonly id: number
  readonly text: string
  readonly isChild: boolean
}

/** The prefixes directly within this one, or those beside it. */
async function mergeCandidates({ request, object }: PageObject, network: Interface): Promise<readonly Candidate[]> {
  const vrf = isJsonObject(object.vrf) ? Number(object.vrf.id) : null
  const inVrf = vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`
  const text = String(object.prefix)
  const depth = Number(object._depth)
  const around = Math.max(1, network.length - 4)
  const rows = await readerOf(request).rows<readonly [id: number, prefix: string, isChild: boolean]>(sql`
    select t.id, t.prefix::text, t.prefix << ${text}::cidr from ${table(PREFIX)} t
    where ${inVrf} and (t.prefix << ${text}::cidr and t._depth = ${depth + 1}::int
      or t.prefix <<= network(set_masklen(${text}::inet, ${around}::int)) and t._depth = ${depth}::int
        and not t.prefix >>= ${text}::cidr)
    order by 3 desc, t.prefix, t.id limit ${MOST_OFFERED}::int`)
  const candidates = rows.map(([id, prefix, isChild]) => ({ id: Number(id), text: prefix, isChild }))
  const children = candidates.filter(({ isChild }) => isChild)
  return children.length > 0 ? children : candidates
}

export default packPages({ ...askPages, tabs: [reshapeTab] })

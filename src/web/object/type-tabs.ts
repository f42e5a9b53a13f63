import { applyToFollowers, type By, FOLLOWERS, visibleComparisons } from '../../api/actions/dcim/types/type-actions.ts'
import type { HttpResponse } from '../../api/response.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { KINDS } from '../../models/dcim/instantiate.ts'
import { type Comparison, nameDifferences, type TypeDifference } from '../../models/dcim/type-differences.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { csrfField } from '../components/csrf-field.ts'
import { fieldLabel } from '../components/field-label.ts'
import { shownTitle } from '../components/model-title.ts'
import { objectTable } from '../components/object-table.ts'
import { panel } from '../components/panel.ts'
import { EMPTY } from '../components/value.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import type { ObjectPart, ObjectTab, PageObject, TabContent } from '../frame/object-content.ts'
import { refusalOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { noticeParameters } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, type Text, translate } from '../texts/translate.ts'

/** Devices or modules of a type that its page compares. */
const MOST = 500

/** How devices and modules differ from their types, and a button that makes them follow. */
export const ofFollowers: readonly ObjectTab[] = (['device_type', 'module_type'] as const).map((by) => ({
  models: [FOLLOWERS[by].follower],
  path: 'type',
  label: () => translate('Type'),
  methods: 'GET POST',
  count: (page) => differenceCount(page, by),
  load: (page) => followerPage(page, by),
}))

/** A line on the page of a device or module that lacks components of its type. */
export const typeNotices: readonly ObjectPart[] = (['device_type', 'module_type'] as const).map((by) => ({
  models: [FOLLOWERS[by].follower],
  load: async (page) => {
    const count = await differenceCount(page, by)
    if (count === undefined) return {}
    const text = translate('Lacks {count} component of its type|Lacks {count} components of its type', { count })
    return {
      top: html`<p class="notice warn"><a href="${page.request.service.settings.basePath}${pagePathOf(page.model)}${Number(page.object.id)}/type/">${text}</a></p>`,
    }
  },
}))

/** Number of components of its type that the object lacks; undefined if there is none. */
async function differenceCount({ request: { service }, object }: PageObject, by: By): Promise<number | undefined> {
  const [count = 0] = await cachedNumbers(service, nameDifferences(by, Number(object.id)))
  return count === 0 ? undefined : count
}

/** The devices or modules of a type that differ from it. */
export const ofTypes: readonly ObjectTab[] = (['device_type', 'module_type'] as const).map((by) => ({
  models: [FOLLOWERS[by].type],
  path: 'differences',
  label: () => translate('Differences'),
  methods: 'GET POST',
  load: (page) => typePage(page, by),
}))

async function followerPage(page: PageObject, by: By): Promise<TabContent | HttpResponse> {
  const { request, model, object } = page
  const type = isJsonObject(object[by]) ? Number(object[by].id) : 0
  const id = Number(object.id)
  const applied = await appliedOn(page, by, type, [id])
  if (applied && 'status' in applied) return applied
  const [comparison] = await visibleComparisons(request, by, [id])
  const differences = comparison?.differences ?? []
  const mayChange = !request.asOf && mayAct(request.actor, 'change', model, request.service.settings)
  return {
    ...(applied && { status: 400 }),
    styles: ['objects.css', 'lists.css', 'edit.css', 'inputs.css'],
    content: panel(
      translate('Differences from the type'),
      differences.length === 0
        ? html`<p>${translate('All components are as the type has them.')}</p>`
        : html`${refusalText(applied)}${differenceTable(page, differences)}${mayChange && applyForm(page, hasRemovable(differences), [])}`,
    ),
  }
}

async function typePage(page: PageObject, by: By): Promise<TabContent | HttpResponse> {
  const { request, object } = page
  const { service } = request
  const model = service.registry.model(FOLLOWERS[by].follower)
  const chosen = request.method === 'POST' ? textsIn(await request.body.form(), 'id').map(Number) : []
  const applied = await appliedOn(page, by, Number(object.id), chosen)
  if (applied && 'status' in applied) return applied
  const query = new URLSearchParams({ [`${by}_id`]: String(object.id), limit: String(MOST) })
  const { count, objects } = await readList(request, model, { query, paths: ['id', 'display'] })
  const names = new Map(objects.map(({ id, display }) => [Number(id), String(display)]))
  const comparisons = await visibleComparisons(request, by, [...names.keys()])
  const differing = comparisons.filter(({ differences }) => differences.length > 0)
  const mayChange = !request.asOf && mayAct(request.actor, 'change', model, service.settings)
  const all = differing.flatMap(({ differences }) => differences)
  return {
    ...(applied && { status: 400 }),
    styles: ['objects.css', 'lists.css', 'edit.css', 'inputs.css'],
    content: panel(
      translate('Differences'),
      html`${count > MOST && html`<p class="notice">${translate('Only the first {count} are compared.', { count: MOST })}</p>`}${
        differing.length === 0
          ? html`<p>${translate('Nothing differs from this type.')}</p>`
          : html`${refusalText(applied)}${sumTable(page, by, differing, names)}${mayChange && applyForm(page, hasRemovable(all), differing)}`
      }`,
    ),
  }
}

/** Carries out a POST: the page to show next, or why it was refused; undefined for a GET. */
async function appliedOn(
  { request, model, object }: PageObject,
  by: By,
  type: number,
  ids: readonly number[],
): Promise<HttpResponse | { readonly refusal: string } | undefined> {
  if (request.method !== 'POST') return undefined
  const form = await request.body.form()
  const body = { [FOLLOWERS[by].list]: ids, remove_extra: textIn(form, 'remove_extra') === 'true' }
  const refusal = await refusalOf(() =>
    applyToFollowers({ ...sending(request, 'POST', body), parameters: [String(type)] }, by),
  )
  if (refusal !== undefined) return { refusal }
  const address = `${request.service.settings.basePath}${pagePathOf(model)}${Number(object.id)}/`
  return seeOther(
    `${address}?${new URLSearchParams(noticeParameters('changed', { id: Number(object.id), undo: request }))}`,
  )
}

const refusalText = (applied: { readonly refusal: string } | undefined): Content =>
  applied && html`<p class="notice bad" role="alert">${applied.refusal}</p>`

const WORDS: Readonly<Record<TypeDifference['difference'], Text>> = {
  missing: 'Missing',
  renamed: 'Has another name',
  changed: 'Has other values',
  extra: 'Not in the type',
}

function differenceTable({ request }: PageObject, differences: readonly TypeDifference[]): Html {
  const { registry } = request.service
  const { basePath } = request.service.settings
  return objectTable({
    label: translate('Differences from the type'),
    columns: [
      { name: 'name', label: translate('Component') },
      { name: 'kind', label: translate('Kind') },
      { name: 'difference', label: translate('Difference') },
      { name: 'changes', label: translate('Would become') },
    ],
    rows: differences.map(({ kind, component, template, name, difference, changes, isCabled }) => {
      const model = registry.model(KINDS[kind].component.name)
      const link =
        component === null
          ? html`<bdi>${name}</bdi>`
          : html`<a href="${basePath}${pagePathOf(model)}${component}/"><bdi>${name}</bdi></a>`
      const becomes = Object.entries(changes).map(
        ([field, [, value]], index) =>
          html`${index > 0 && ', '}${field === 'name' ? '' : `${fieldLabel(registry, model, field)}: `}<bdi>${String(value ?? '')}</bdi>`,
      )
      return {
        id: `${kind} ${component ?? template}`,
        label: name,
        cells: [
          html`${link}${isCabled && html` <small class="context">${translate('cabled')}</small>`}`,
          shownTitle(model),
          translate(WORDS[difference]),
          becomes.length === 0 ? EMPTY : html`${becomes}`,
        ],
      }
    }),
  })
}

function sumTable(
  { request }: PageObject,
  by: By,
  differing: readonly Comparison[],
  names: ReadonlyMap<number, string>,
): Html {
  const { registry, settings } = request.service
  const model = registry.model(FOLLOWERS[by].follower)
  const kinds = Object.keys(WORDS) as (keyof typeof WORDS)[]
  return objectTable({
    label: translate('Differences'),
    selectionForm: FORM,
    columns: [
      { name: 'name', label: shownTitle(model) },
      ...kinds.map((kind) => ({ name: kind, label: translate(WORDS[kind]), kind: 'num' as const })),
    ],
    rows: differing.map(({ follower: { id }, differences }) => ({
      id,
      label: names.get(id) ?? String(id),
      cells: [
        html`<a href="${settings.basePath}${pagePathOf(model)}${id}/type/"><bdi>${names.get(id) ?? id}</bdi></a>`,
        ...kinds.map((kind) => numeral(differences.filter(({ difference }) => difference === kind).length)),
      ],
    })),
  })
}

const hasRemovable = (differences: readonly TypeDifference[]): boolean =>
  differences.some(({ difference, isCabled }) => difference === 'extra' && !isCabled)

/** Id of the form to which the check boxes of the table belong. */
const FORM = 'follow'

const applyForm = (
  { request: { csrfToken } }: PageObject,
  mayRemove: boolean,
  differing: readonly Comparison[],
): Html =>
  html`<form method="post" id="${FORM}">${csrfField(csrfToken)}${
    mayRemove &&
    html`<p><label><input type="checkbox" name="remove_extra" value="true"> ${translate('Delete components that are not in the type and have no cable')}</label></p>`
  }<p class="buttons"><button>${differing.length > 0 ? translate('Apply the type to the selected ones') : translate('Apply the type')}</button></p></form>`

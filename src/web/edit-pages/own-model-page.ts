import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { ApiError } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { fieldType } from '../../models/custom-models/custom-object-field.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { applyDocument } from '../../write/apply/apply-document.ts'
import { runWrite } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { Option } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { modelOptions, shownPlural } from '../components/model-title.ts'
import { NEW_OWN_MODEL } from '../components/offered-methods.ts'
import { readList } from '../data/page-objects.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import { slugOf } from '../forms/slug.client.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { guideOfModel } from '../guides/guide-of-model.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** A field as people describe it. */
interface Row {
  readonly name: string
  readonly kind: string
  /** The choices of a selection, separated by commas. */
  readonly choices: string
  /** The type of the objects to which the field refers. */
  readonly of: string
  readonly isRequired: boolean
}

interface Entered {
  readonly name: string
  readonly plural: string
  readonly slug: string
  readonly rows: readonly Row[]
}

const NO_ROW: Row = { name: '', kind: 'text', choices: '', of: '', isRequired: false }
/** Rows of a new form; a script adds further ones. */
const ROWS = 6

/** GET and POST of `…/custom-object-types/new/`: a type with its fields, in one form and one transaction. */
async function ownModelPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service, actor } = request
  requirePermission(actor, 'add', model, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) {
    const first = { ...NO_ROW, name: translate('Name'), isRequired: true }
    return formPage(request, model, { name: '', plural: '', slug: '', rows: [first] }, undefined)
  }
  const entered = enteredIn(form)
  const problem = problemIn(entered) ?? (await takenName(request, model, entered))
  if (problem !== undefined) return formPage(request, model, entered, problem)
  try {
    const id = await runWrite(service, writeRequestOf(request, requireUser(request)), async (context) => {
      const applied = await applyDocument(context, documentOf(entered))
      return applied.find((object) => object.model.name === model.name)?.id
    })
    return seeOther(`${service.settings.basePath}${pagePathOf(model)}${id}/`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return formPage(request, model, entered, sentenceOf(error))
  }
}

function enteredIn(form: FormValues): Entered {
  const column = (name: string): readonly string[] => textsIn(form, `field.${name}`)
  const required = new Set(column('required'))
  const [kinds, choices, types] = [column('kind'), column('choices'), column('of')]
  return {
    name: textIn(form, 'name').trim(),
    plural: textIn(form, 'plural').trim(),
    slug: textIn(form, 'slug').trim(),
    rows: column('name')
      .map((name, index) => ({
        name: name.trim(),
        kind: kinds[index] ?? 'text',
        choices: choices[index]?.trim() ?? '',
        of: types[index] ?? '',
        isRequired: required.has(String(index)),
      }))
      .filter(({ name }) => name !== ''),
  }
}

/** A name in the API: `Support Contract` becomes `support_contract`. */
const apiName = (name: string): string =>
  slugOf(name)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 50)

/** The label that is to be stored: none if the pages derive the same from the name in the API. */
const labelFor = (shown: string, derived: string): string =>
  shown.toLowerCase() === derived.replaceAll('_', ' ') && !ABBREVIATION.test(shown) ? '' : shown

/** Capitals within a word, which the pages would write small: `SLA level`. */
const ABBREVIATION = /\p{L}\p{Lu}/u

const pluralOf = ({ name, plural }: Entered): string => plural || `${name}s`
const slugFor = (entered: Entered): string => entered.slug || slugOf(pluralOf(entered))

function problemIn(entered: Entered): string | undefined {
  const unnamed = [entered.name, ...entered.rows.map(({ name }) => name)].find((name) => apiName(name) === '')
  if (unnamed !== undefined)
    return translate('“{name}” needs at least one Latin letter, for its name in the API.', { name: unnamed })
  if (entered.rows.length === 0) return translate('Name at least one field.')
  const incomplete = entered.rows.find(
    ({ kind, choices, of }) => (isSelection(kind) && choices === '') || (isReference(kind) && of === ''),
  )
  return incomplete && translate('“{name}” needs its choices, or the type of its objects.', { name: incomplete.name })
}

/** The sentence that refuses a name or an address that another type has: a document would change that type. */
async function takenName(request: ApiRequest, model: Model, entered: Entered): Promise<string | undefined> {
  for (const [field, value] of [
    ['name', apiName(entered.name)],
    ['slug', slugFor(entered)],
  ] as const) {
    const query = new URLSearchParams({ [field]: value, limit: '1' })
    if ((await readList(request, model, { query, paths: ['id'] })).count > 0)
      return translate('There is already a type called “{name}”.', { name: value })
  }
  return undefined
}

const isSelection = (kind: string): boolean => kind === 'select' || kind === 'multiselect'
const isReference = (kind: string): boolean => kind === 'object' || kind === 'multiobject'

/** The type, its fields and their choices, as a document that `apply` writes. The first field names the objects. */
function documentOf(entered: Entered): JsonObject {
  const name = apiName(entered.name)
  const slug = slugFor(entered)
  const plural = pluralOf(entered)
  const choiceSet = (row: Row): string => `${entered.name}: ${row.name}`
  const sets = entered.rows
    .filter(({ kind }) => isSelection(kind))
    .map((row) => ({
      name: choiceSet(row),
      extra_choices: row.choices
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean)
        .map((label) => [slugOf(label) || label, label]),
    }))
  return {
    objects: {
      ...(sets.length > 0 && { [SYSTEM.customFieldChoiceSet]: sets }),
      [SYSTEM.customObjectType]: [
        {
          ...{ name, slug, verbose_name: labelFor(entered.name, name) },
          verbose_name_plural: labelFor(plural, `${name}s`),
        },
      ],
      [SYSTEM.customObjectField]: entered.rows.map((row, index) => ({
        ...{ custom_object_type: { slug }, name: apiName(row.name), type: row.kind, required: row.isRequired },
        ...{ label: labelFor(row.name, apiName(row.name)), primary: index === 0, weight: 100 + index },
        ...(isSelection(row.kind) && { choice_set: { name: choiceSet(row) } }),
        ...(isReference(row.kind) && { related_object_type: row.of }),
      })),
    },
  }
}

function formPage(request: ApiRequest, model: Model, entered: Entered, problem: string | undefined): PageResponse {
  const { basePath } = request.service.settings
  const list = pagePathOf(model) ?? '/'
  const title = translate('New type of objects')
  const rows = [...entered.rows, ...Array.from({ length: Math.max(1, ROWS - entered.rows.length) }, () => NO_ROW)]
  const kinds = fieldType.list.map(({ value, label }) => ({ value: String(value), label: translateLabel(label) }))
  const types = modelOptions(request.service.registry)
  return {
    title,
    model,
    status: problem === undefined ? 200 : 400,
    styles: ['inputs.css', 'objects.css', 'own-model.css'],
    scripts: ['own-model.client.ts'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: title, path: `${list}${NEW_OWN_MODEL}` },
    ],
    body: html`<div class="heading"><h1>${title}</h1>${guideOfModel(request, model)}</div>
<form class="edit own-model" method="post" action="${basePath}${list}${NEW_OWN_MODEL}">${csrfField(request.csrfToken)}
${problem !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${problem}</p>`}
<div class="fields"><div class="field"><label for="own-name">${translate('Name')}</label><input id="own-name" name="name" value="${entered.name}" maxlength="90" required autofocus autocomplete="off" aria-describedby="own-name-help"><p class="help" id="own-name-help">${translate('Name of one object, such as Support contract')}</p></div></div>
<details${entered.plural + entered.slug !== '' && html` open`}><summary>${translate('Plural and address')} <span class="muted" data-derived></span></summary><div class="fields">
<div class="field"><label for="own-plural">${translateLabel('Plural')}</label><input id="own-plural" name="plural" value="${entered.plural}" maxlength="100" autocomplete="off"></div>
<div class="field"><label for="own-slug">${translate('Address of its list')}</label><input id="own-slug" name="slug" value="${entered.slug}" maxlength="100" autocomplete="off" pattern="[a-z0-9_\\-]+"></div></div></details>
<h2>${translate('Fields')}</h2><p class="muted">${translate('The first field names an object. Rows without a name are left out.')}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${translate('Fields')}"><table class="own-fields"><thead><tr><th scope="col">${translate('Name')}</th><th scope="col">${translate('Kind')}</th><th scope="col">${translate('Details')}</th><th scope="col">${translate('Required')}</th></tr></thead><tbody>${rows.map((row, index) => fieldRow(row, index, kinds, types))}</tbody></table></div>
<p><button type="button" class="quiet" data-more hidden>${translate('Add a field')}</button></p>
<div class="buttons sticky"><button>${translate('Create')}</button><a class="button quiet" href="${basePath}${list}">${translate('Cancel')}</a><a class="more" href="${basePath}${list}add/">${translate('All options of a type')}</a></div></form>`,
  }
}

function fieldRow(row: Row, index: number, kinds: readonly Option[], types: readonly Option[]): Html {
  const labelled = (text: string): string => translate('{field}: row {row}', { field: text, row: index + 1 })
  return html`<tr><td><input name="field.name" value="${row.name}" maxlength="50" autocomplete="off" aria-label="${labelled(translate('Name'))}"></td>
<td><select name="field.kind" aria-label="${labelled(translate('Kind'))}">${options(kinds, row.kind)}</select></td>
<td><input class="of-choices" name="field.choices" value="${row.choices}" placeholder="${translate('Gold, Silver, Bronze')}" autocomplete="off" aria-label="${labelled(translate('Choices'))}"><select class="of-type" name="field.of" aria-label="${labelled(translate('Type of objects'))}"><option value="">${translate('Choose the type of objects')}</option>${options(types, row.of)}</select></td>
<td><input type="checkbox" name="field.required" value="${index}"${row.isRequired && html` checked`} aria-label="${labelled(translate('Required'))}"></td></tr>`
}

const options = (list: readonly Option[], chosen: string): Content =>
  list.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)

/** The page with a type and its fields in one form. */
export const ownModelPages = (model: Model): readonly ModelPageRow[] =>
  model.name === SYSTEM.customObjectType ? [[NEW_OWN_MODEL, 'GET POST', ownModelPage]] : []

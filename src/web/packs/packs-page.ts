import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { create } from '../../api/verbs/create.ts'
import { update } from '../../api/verbs/update.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { AS_OF } from '../../read/as-of/past-timestamp.ts'
import { asPlain } from '../../schema/json.ts'
import { EFFECT_PARAMETERS } from '../../schema/list-parameters.ts'
import { type PackDocument, parsePack } from '../../schema/packs/pack-document.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { readYamlDocuments } from '../../schema/yaml-documents.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { countedNoun, shownPlural, shownPluralNoun } from '../components/model-title.ts'
import { NEW_OWN_MODEL } from '../components/offered-methods.ts'
import { countLists } from '../data/count-lists.ts'
import { sending } from '../data/inner-request.ts'
import { permittedIds, readList } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { type PageResponse, refusalOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { noticeParameters } from '../frame/saved-notice.ts'
import { type Html, html } from '../html.ts'
import { numeral, translate, translateMarkup } from '../texts/translate.ts'
import { changeablePack, changePack } from './change-pack.ts'
import { type PackState, packAdditions, packGuide, packState } from './pack-state.ts'
import { packSettingsPage, SETTINGS } from './settings-page.ts'

/** Last segment of the page that switches a pack on or off. */
const SWITCH = 'switch/'

/** Pages of packs besides those of every model; none of other models. */
export const packPages = ({ name }: Model): readonly ModelPageRow[] =>
  name === SYSTEM.pack
    ? [
        [NEW_OWN_MODEL, 'GET POST', ownPackPage],
        [`${ID}/${SWITCH}`, 'GET POST', switchPage],
        [`${ID}/${SETTINGS}`, 'GET POST', packSettingsPage],
      ]
    : []

/** Whether the request is for the packs without filters, which are cards; with any, they are a table like all others. */
export const isCatalogue = ({ search }: ApiRequest, { name }: Model): boolean =>
  name === SYSTEM.pack && [...search.keys()].every((key) => UNFILTERED.has(key))

const UNFILTERED: ReadonlySet<string> = new Set([...EFFECT_PARAMETERS, AS_OF])

/** GET of the list of packs without filters: a card for each pack. */
export async function packsPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { actor, service } = request
  const { objects } = await readList(request, model, { query: new URLSearchParams({ limit: '0' }), count: null })
  const packs = objects.map((row) => packState(request, row))
  const ids = packs.map(({ id }) => id)
  const changeable = new Set(await permittedIds(request, 'change', model, ids))
  const label = shownPlural(model)
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  return {
    title: label,
    model,
    styles: ['objects.css', 'packs.css'],
    breadcrumbs: [{ label, path: pagePathOf(model) ?? '/' }],
    body: html`<div class="heading"><h1>${label}</h1><div class="actions">${mayAct(actor, 'add', model, service.settings) && html`<a class="button" data-key="c" href="${page}${NEW_OWN_MODEL}">${translate('Add your own')}</a>`}<a class="button quiet" href="?ordering=name">${translate('Table')}</a><a class="button quiet" href="${packGuide(request)}">${translate('How packs work')}</a></div></div>
<p class="muted">${translate('Packs add further kinds of objects, with rules and pages. A pack that is switched off keeps its data.')}</p>
<div class="packs">${packs.map((pack) => packCard(request, model, pack, changeable.has(pack.id)))}</div>`,
  }
}

function packCard(request: ApiRequest, model: Model, pack: PackState, mayChange: boolean): Html {
  const page = `${request.service.settings.basePath}${pagePathOf(model)}${pack.id}/`
  return html`<section class="card" aria-labelledby="pack-${pack.id}"><div class="heading"><h2 id="pack-${pack.id}"><a href="${page}"><bdi>${pack.label}</bdi></a></h2> <span class="muted">${pack.version}</span>${stateBadge(pack)}</div>
${pack.problem !== '' && html`<p class="notice bad">${pack.problem}</p>`}<p><bdi>${pack.description}</bdi></p>
${packAdditions(request, pack)}${mayChange && switchButton(request, model, pack)}</section>`
}

/** Whether the pack is on. */
export const stateBadge = ({ isOn }: PackState): Html =>
  isOn
    ? html`<span class="badge green">${translate('On')}</span>`
    : html`<span class="badge gray">${translate('Off')}</span>`

/** The button that leads to the confirmation, or the sentence that says why there is none. */
export function switchButton({ service }: ApiRequest, model: Model, { id, isOn, isKeptOn, label }: PackState): Html {
  const text = isOn ? translate('Switch off') : translate('Switch on')
  const address = `${service.settings.basePath}${pagePathOf(model)}${id}/${SWITCH}`
  return isOn && isKeptOn
    ? html`<p class="buttons"><button class="quiet" disabled>${text}</button> <span class="muted">${translate('The setting PACKS keeps it on.')}</span></p>`
    : html`<p class="buttons"><a class="button${isOn && ' quiet'}" href="${address}" aria-label="${text}: ${label}">${text}</a></p>`
}

/** GET and POST of `…/<id>/switch/`: says what switching does, then switches the pack on or off. */
async function switchPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service } = request
  const pack = await changeablePack(request, model)
  const list = pagePathOf(model) ?? '/'
  let refusal: string | undefined
  if (request.method === 'POST') {
    // The form says what it showed: a pack that somebody else has switched meanwhile stays as it is.
    const enabled = textIn(await request.body.form(), 'enabled') === 'true'
    const changed = await changePack(request, model, { enabled })
    if (!('refusal' in changed)) return changed
    refusal = changed.refusal
  }
  const { label, isOn } = pack
  const title = isOn ? translate('Switch off {name}', { name: label }) : translate('Switch on {name}', { name: label })
  return {
    title,
    model,
    status: refusal === undefined ? 200 : 400,
    styles: ['objects.css', 'packs.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label, path: `${list}${pack.id}/` },
      { label: title, path: `${list}${pack.id}/${SWITCH}` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div><form class="card" method="post">${csrfField(request.csrfToken)}
${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
${isOn ? await effectsOfSwitchingOff(request, pack) : html`<p>${translate('This is added, with its pages and addresses:')}</p>${packAdditions(request, pack)}`}
<div class="buttons"><button name="enabled" value="${String(!isOn)}">${isOn ? translate('Switch off') : translate('Switch on')}</button><a class="button quiet" href="${service.settings.basePath}${list}">${translate('Cancel')}</a></div></form>`,
  }
}

/** The objects of the pack that stay, and the kinds of objects that they keep from being deleted. */
async function effectsOfSwitchingOff(request: ApiRequest, pack: PackState): Promise<Html> {
  const { registry } = request.service
  const models = pack.models.flatMap(({ name }) => registry.models.get(name) ?? [])
  const lists = models.map((model) => ({ model, query: new URLSearchParams() }))
  const counts = await countLists(request, lists)
  const kept = lists.flatMap((list) => {
    const count = counts(list) ?? 0
    return count === 0 ? [] : [{ model: list.model, count }]
  })
  const targets = kept.flatMap(({ model }) =>
    [...model.fields.values()].flatMap((field) => (field.kind === 'foreignKey' ? registry.model(field.to) : [])),
  )
  const protectedKinds = [...new Set(targets)].filter((model) => !models.includes(model)).map(shownPluralNoun)
  return html`<p>${translate('Its lists, pages and addresses are gone until it is switched on again. Its data stays.')}</p>
${kept.length > 0 && html`<ul class="pack-lists">${kept.map(({ model, count }) => html`<li>${numeral(count)} ${countedNoun(model, count)}</li>`)}</ul>`}
${protectedKinds.length > 0 && html`<p>${translate('Objects to which these refer cannot be deleted meanwhile: {kinds}.', { kinds: protectedKinds.join(', ') })}</p>`}`
}

/** GET and POST of `…/new/`: a pack of one's own from its `pack.yaml`; an own pack of the same name is replaced. */
async function ownPackPage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { service } = request
  requirePermission(request.actor, 'add', model, service.settings)
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const file = form?.get('file')?.find((entry) => entry instanceof UploadedFile && entry.bytes.length > 0)
  const text = file instanceof UploadedFile ? new TextDecoder().decode(file.bytes) : textIn(form, 'text')
  const isOn = !form || textIn(form, 'enabled') === 'true'
  const list = pagePathOf(model) ?? '/'
  let refusal: string | undefined
  if (form) {
    const document = documentIn(text)
    if ('problem' in document) refusal = document.problem
    else {
      const body = { document, enabled: isOn }
      const stored = await storedPack(request, model, document.name)
      refusal = await refusalOf(() =>
        stored === undefined
          ? create(sending(request, 'POST', body), model)
          : update({ ...sending(request, 'PATCH', body), parameters: [String(stored)] }, model),
      )
      if (refusal === undefined) {
        const id = stored ?? (await storedPack(request, model, document.name))
        const notice = noticeParameters(stored === undefined ? 'created' : 'changed', { id, undo: request })
        return seeOther(`${service.settings.basePath}${list}${id}/?${new URLSearchParams(notice)}`)
      }
    }
  }
  const title = translate('Add your own pack')
  const guide = html`<a href="${packGuide(request)}#write-one-in-ten-minutes">${translate('how to write one')}</a>`
  return {
    title,
    model,
    status: refusal === undefined ? 200 : 400,
    styles: ['inputs.css', 'edit.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: title, path: `${list}${NEW_OWN_MODEL}` },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
<form class="edit" method="post" enctype="multipart/form-data">${csrfField(request.csrfToken)}
<p>${translateMarkup('A pack is a document that lists its models with their fields and rules: {guide}.', { guide })}</p>
<fieldset class="card"><legend class="visually-hidden">${translate('Document')}</legend><div class="fields">
${controlField({ name: 'text', label: 'pack.yaml', input: { kind: 'lines', value: text, rows: 20 }, isFocused: true, ...(refusal !== undefined && { errors: [refusal] }) }, 'pack')}
${controlField({ name: 'file', label: translate('Or a file'), input: { kind: 'file' } }, 'pack')}
${controlField({ name: 'enabled', label: translate('Switch it on'), input: { kind: 'checkbox', isChecked: isOn } }, 'pack')}
</div></fieldset><div class="buttons sticky"><button>${translate('Save')}</button><a class="button quiet" href="${service.settings.basePath}${list}">${translate('Cancel')}</a></div></form>`,
  }
}

/** The pack that a text describes, or what is wrong with the text. */
function documentIn(text: string): PackDocument | { readonly problem: string } {
  try {
    const document = parsePack(asPlain(readYamlDocuments(text)[0] ?? null))
    return 'problem' in document ? { problem: `${document.problem}.` } : document
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    return { problem: translate('This is not YAML: {reason}.', { reason }) }
  }
}

/** The id of the pack with this name, if the sender may view it. */
async function storedPack(request: ApiRequest, model: Model, name: string): Promise<number | undefined> {
  const { objects } = await readList(request, model, {
    query: new URLSearchParams({ name, limit: '1' }),
    paths: ['id'],
  })
  return objects[0] && Number(objects[0].id)
}

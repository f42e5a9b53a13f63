import { wholeResponse } from '../../api/response.ts'
import { ID } from '../../api/routes.ts'
import { createFrom } from '../../api/verbs/create.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { formatInterface, type Interface, parseInterface, widthOf } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { sending } from '../data/inner-request.ts'
import { readOne } from '../data/page-objects.ts'
import { textIn } from '../forms/form-texts.ts'
import type { ModelPage, ModelPageRow } from '../frame/page-endpoint.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { countParameters } from '../frame/saved-notice.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import { prefixTree } from './prefix-tree.ts'

/** Maximum number of prefixes that one split creates. */
const MOST_PARTS = 256

/** GET and POST of `…/<id>/split/`: prefixes of one length that fill the free space of a prefix. */
const splitPage: ModelPage = async (request, model) => {
  const { settings } = request.service
  requirePermission(request.actor, 'add', model, settings)
  const { object } = await readOne(request, model)
  const text = String(object.prefix)
  const whole = parseInterface(text)
  if (!whole) throw notFound('prefix')
  const page = `${pagePathOf(model)}${Number(object.id)}/`
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const entered = Number(form ? textIn(form, 'length') : lastValue(request.search, 'length'))
  const { free, isCut } = await prefixTree(request, { ...whole, text }, vrfOf(object))
  const lengths = isCut ? [] : lengthsFor(whole, free)
  const length = lengths.includes(entered) ? entered : undefined
  const parts = length === undefined ? [] : partsOf(free, length)
  let refusal: string | undefined
  if (form && parts.length > 0) {
    try {
      const bodies = parts.map((part) => ({ ...inherited(object), prefix: formatInterface(part) }))
      await wholeResponse(await createFrom(sending(request, 'POST', bodies), model, bodies))
      const notice = new URLSearchParams(countParameters(request, 'created-all', parts.length))
      return seeOther(`${settings.basePath}${page}?${notice}`)
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      refusal = sentenceOf(error)
    }
  }
  const title = translate('Split {prefix}', { prefix: text })
  return {
    title,
    model,
    status: refusal === undefined ? 200 : 400,
    styles: ['objects.css', 'inputs.css'],
    breadcrumbs: [
      { label: shownPlural(model), path: pagePathOf(model) ?? '/' },
      { label: text, path: page },
      { label: translate('Split'), path: `${page}split/` },
    ],
    // A list of lengths, followed by the prefixes of the chosen length with a button that creates them.
    body: html`<h1>${title}</h1>
${refusal !== undefined && html`<div class="notice bad" role="alert"><p>${translate('Not saved.')}</p><p>${refusal}</p></div>`}
${
  lengths.length === 0
    ? html`<p class="notice">${translate('This prefix has no free space to split, or it contains too many prefixes.')}</p>`
    : html`<form class="card" method="get"><label>${translate('Length of the new prefixes')} <select name="length">${lengths.map((item) => html`<option value="${item}" ${item === length && 'selected'}>/${item}</option>`)}</select></label> <button class="quiet">${translate('Preview')}</button></form>`
}
${
  parts.length > 0 &&
  html`<form class="card" method="post">${csrfField(request.csrfToken)}<input type="hidden" name="length" value="${length}">
<p>${translate('{count} prefix will be created, with the VRF, tenant, role and scope of this one:|{count} prefixes will be created, with the VRF, tenant, role and scope of this one:', { count: parts.length })}</p>
<ul class="columns">${parts.map((part) => html`<li>${formatInterface(part)}</li>`)}</ul>
<div class="buttons"><button>${translate('Create the prefixes')}</button></div></form>`
}
<p><a href="${settings.basePath}${page}">${translate('Back to the prefix')}</a></p>`,
  }
}

const vrfOf = ({ vrf }: JsonObject): number | null => (isJsonObject(vrf) ? Number(vrf.id) : null)

/** Lengths into which the free space can be split. */
function lengthsFor(whole: Interface, free: readonly Interface[]): readonly number[] {
  const most = widthOf(whole.family) - whole.length
  return Array.from({ length: most }, (_, index) => whole.length + 1 + index).filter((length) => {
    const count = countOf(free, length)
    return count > 0 && count <= MOST_PARTS
  })
}

/** Number of networks of this length in the free space. */
const countOf = (free: readonly Interface[], length: number): number =>
  free.reduce((sum, network) => sum + (network.length <= length ? 2 ** (length - network.length) : 0), 0)

/** The networks of this length within the free space, in order. */
function partsOf(free: readonly Interface[], length: number): readonly Interface[] {
  return free
    .filter((network) => network.length <= length)
    .flatMap((network) => {
      const size = 1n << BigInt(widthOf(network.family) - length)
      const count = 2 ** (length - network.length)
      return Array.from({ length: count }, (_, index) => ({
        ...network,
        value: network.value + BigInt(index) * size,
        length,
      }))
    })
    .sort((left, right) => (left.value < right.value ? -1 : 1))
}

/** Values that the new prefixes copy from the split one. */
function inherited(object: JsonObject): JsonObject {
  const idOf = (value: Json | undefined): Json => (isJsonObject(value) ? (value.id ?? null) : null)
  const status = isJsonObject(object.status) ? object.status.value : undefined
  return {
    ...Object.fromEntries(['vrf', 'tenant', 'role'].map((name) => [name, idOf(object[name])])),
    status: status === 'container' || status === undefined ? 'active' : status,
    scope_type: object.scope_type ?? null,
    scope_id: object.scope_id ?? null,
  }
}

/** The page that splits a prefix. */
export const splitPages = (registry: Parameters<typeof addressModels>[0], model: Model): readonly ModelPageRow[] =>
  addressModels(registry).prefix === model ? [[`${ID}/split/`, 'GET POST', splitPage]] : []

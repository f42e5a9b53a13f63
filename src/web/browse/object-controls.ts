import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { fieldsMetadata } from '../../api/options/field-metadata.ts'
import { titleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { formControls } from '../forms/fields/form-controls.ts'
import { humanize } from '../forms/fields/humanize.ts'
import type { Mode } from './modes.ts'
import { deletionForm, objectForm, rawForm } from './object-form.ts'
import {
  actionLinks,
  changesLink,
  type ObjectEndpoint,
  type Picture,
  pictureFigures,
  referrerLinks,
  relatedLinks,
} from './related-links.ts'
import { shortValue } from './short-value.ts'

/** Methods of a collection whose bodies contain objects. */
const BODY_METHODS = ['POST', 'PUT', 'PATCH'] as const

/** Path of an object's collection, with the base path. */
const collectionOf = ({ service }: ApiRequest, model: Model): string =>
  `${service.settings.basePath}/api/${model.path}/`

/** The form of a mode that changes something; undefined for other modes. */
export async function formOf(
  request: ApiRequest,
  { model, methods }: { readonly model: Model; readonly methods: Endpoint['methods'] },
  mode: Mode,
  response: Json | undefined,
): Promise<Content> {
  const { service, url } = request
  const collection = collectionOf(request, model)
  const action = url.pathname
  if (mode === 'new') {
    const controls = await formControls(service, model, undefined, { asJson: true })
    const submit = `Create ${titleOf(model)}`
    return html`${objectForm({ action, method: 'POST', controls, submit, leadsTo: 'self' })}
${rawForm({ action, methods: BODY_METHODS.filter((each) => methods[each]), text: '{}', leadsTo: 'self' })}`
  }
  if (!isJsonObject(response)) return undefined
  if (mode === 'change') {
    const controls = await formControls(service, model, response, { asJson: true })
    return html`${objectForm({ action, method: 'PATCH', controls, submit: 'Save', leadsTo: action })}
${rawForm({ action, methods: ['PATCH', 'PUT'], text: writablePart(service.registry, model, response), leadsTo: 'self' })}`
  }
  return mode === 'delete' ? deletionForm(action, String(response.display), collection) : undefined
}

/** The writable fields of an object, in the form for a body. */
function writablePart(registry: Registry, model: Model, object: JsonObject): string {
  const entries = Object.entries(fieldsMetadata(registry, model))
    .filter(([name, metadata]) => metadata.read_only === false && name in object)
    .map(([name]) => [name, writableValue(object[name])])
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

/** Links to an object's actions, and its drawings. */
export const objectActions = (request: ApiRequest, endpoint: ObjectEndpoint, object: Json | undefined): Content =>
  isJsonObject(object) && html`${factList(factsOf(object))}${pictureFigures(picturesOf(request, endpoint, object))}`

/** Fields that the page shows elsewhere or as the count next to a link. */
const UNTOLD = /^(id|url|display_url|display|display_name|natural_slug)$|^_|_count$|^count_/

/** All fields of an object except documents, which are easier to read as JSON. */
const factsOf = (object: JsonObject): readonly Fact[] =>
  [...Object.entries(object), ...Object.entries(customFieldsOf(object))]
    .filter(([name, value]) => !UNTOLD.test(name) && isTold(value))
    .map(([name, value]) => ({ label: humanize(name), value }))

const customFieldsOf = ({ custom_fields: values }: JsonObject): JsonObject => (isJsonObject(values) ? values : {})

function isTold(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isTold)
  if (isJsonObject(value)) return 'display' in value || 'label' in value
  return value !== null && value !== ''
}

/** Links from an object to related collections, actions and changes. */
export function objectAside(request: ApiRequest, endpoint: ObjectEndpoint, object: Json | undefined): Content {
  const { model } = endpoint
  if (!isJsonObject(object) || object.id === undefined) return undefined
  return html`${relatedLinks('Actions', actionLinks(request, endpoint, object))}
${relatedLinks('Related', referrerLinks(request, model, object))}
${relatedLinks('History', changesLink(request, model, object))}`
}

/** A field of an object. */
interface Fact {
  readonly label: string
  readonly value: Json
}

/** Facts as a description list; nothing if there are none. */
const factList = (facts: readonly Fact[]): Content =>
  facts.length > 0 &&
  html`<dl class="facts card">${facts.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${shortValue(value)}</dd></div>\n`,
  )}</dl>`

/** Drawings of an object: one for each variant of its actions that can be rendered as SVG. */
function picturesOf(
  { service }: ApiRequest,
  { model, actions }: ObjectEndpoint,
  object: JsonObject,
): readonly Picture[] {
  // An object without a connection has nothing to draw.
  if ('cable' in object && object.cable === null && object.wireless_link == null) return []
  const start = `${model.path}/:id/`
  return actions.flatMap(({ path, methods }) => {
    const parameters = methods.GET?.parameters ?? []
    if (!parameters.some((each) => each.name === 'render' && valuesOf(each).includes('svg'))) return []
    const name = path.slice(start.length)
    const address = `${service.settings.basePath}/api/${model.path}/${object.id}/${name}/?render=svg`
    const side = parameters.find((each) => each.name !== 'render' && valuesOf(each).length > 0)
    if (!side) return [{ label: humanize(name), path: address }]
    return valuesOf(side).map((value) => ({
      label: `${humanize(name)}, ${value}`,
      path: `${address}&${side.name}=${value}`,
    }))
  })
}

/** The values that a parameter's schema lists. */
const valuesOf = ({ schema }: JsonObject): readonly string[] =>
  isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum.map(String) : []

/** A value of a response in the form for a request body: related objects as ids, choices as values. */
function writableValue(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(writableValue)
  if (!isJsonObject(value)) return value ?? null
  if ('url' in value && value.id !== undefined) return value.id
  if ('value' in value && 'label' in value) return value.value ?? null
  // Objects such as the values of custom fields.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, writableValue(each)]))
}

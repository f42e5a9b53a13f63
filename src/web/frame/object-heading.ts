import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { componentLink } from '../components/component-link.ts'
import { copyButton, isCopied } from '../components/copy-button.ts'
import { fieldLabel } from '../components/field-label.ts'
import { shownTitle } from '../components/model-title.ts'
import { ADDRESSES, NAMING_FIELDS, shownName } from '../components/shown-name.ts'
import { EMPTY, valueDisplay } from '../components/value.ts'
import { displayOptions } from '../data/display-options.ts'
import { contextText } from '../data/object-names.ts'
import { isBare } from '../data/page-objects.ts'
import { isInlineField } from '../forms/inline-fields.ts'
import { type Content, html } from '../html.ts'
import { translateLabel } from '../texts/translate.ts'
import type { RequestedObject } from './object-content.ts'

/** Kind, name and context of an object, as the heading of its pages. */
export function objectTitle({ request: { service }, model, object }: RequestedObject): Content {
  const { context } = service.registry.view(model)
  const text = contextText(context, object)
  const name = shownName(service.registry, object)
  const isAddress = ADDRESSES.some((field) => model.fields.has(field) && object[field] === name)
  return html`<div${isAddress && html` class="copied"`}><p class="kind">${shownTitle(model)}</p><h1><bdi>${name}</bdi>${text !== '' && html` <small class="context"><bdi>${text}</bdi></small>`}</h1>${isAddress && copyButton()}</div>`
}

/** The head of the pages that change an object. `action`: a link beside it. */
export const objectHeading = (page: RequestedObject, action?: Content): Content =>
  html`<div class="heading">${objectTitle(page)}${action}</div>`

/** Fields that people look for first in any object, in the order of its header. */
const FACTS = [
  'status',
  'type',
  'role',
  'device_type',
  'rack',
  'location',
  'site',
  'scope',
  'cluster',
  'provider',
  'vrf',
  'vlan',
  'assigned_object',
  'primary_ip',
  'mac_address',
  'serial',
  'tenant',
] as const
const MOST_FACTS = 7

interface Fact {
  readonly name: (typeof FACTS)[number]
  readonly value: Content
}

function factsOf({ request, model, object }: RequestedObject): readonly Fact[] {
  const { registry, settings } = request.service
  const options = displayOptions(request, new Map())
  return FACTS.flatMap((name): readonly Fact[] => {
    const field = model.fields.get(name)
    // Tabs show the facts of an object too, but some users of a tab may not view the objects to which they refer.
    const isVisible = field?.kind !== 'foreignKey' || mayAct(request.actor, 'view', registry.model(field.to), settings)
    const fieldValue = object[name]
    const isComponent = name === 'assigned_object' && isJsonObject(fieldValue)
    const display = isComponent ? componentLink(fieldValue, options) : valueDisplay(field, fieldValue, options)
    // Of a relation that is only an id here, the panels have the name.
    const value = isVisible && model.answer.includes(name) && !isBare(model, name) ? display : EMPTY
    return value === EMPTY || (name === 'location' && isJsonObject(object.rack)) ? [] : [{ name, value }]
  }).slice(0, MOST_FACTS)
}

/** The line below the name of an object: its status, role, type, place, address. */
export function objectFacts(page: RequestedObject): Content {
  const { registry } = page.request.service
  const facts = factsOf(page).map(
    ({ name, value }) =>
      html`<div class="fact"><dt>${fieldLabel(registry, page.model, name)}</dt><dd${isCopied(page.model, name) && html` class="mono copied"`}${isInlineField(registry, page.model, name) && html` data-inline="${name}"`}>${value}${name === 'rack' && positionOf(page.object)}${isCopied(page.model, name) && copyButton()}</dd></div>`,
  )
  return facts.length > 0 && html`<dl class="facts">${facts}</dl>`
}

/** Names of the fields whose values are in the head of the object's pages, so that its panels need not repeat them. */
export function fieldsInHead(page: RequestedObject): ReadonlySet<string> {
  const { object } = page
  const title = shownName(page.request.service.registry, object)
  const names = new Set<string>(factsOf(page).map(({ name }) => name))
  for (const name of NAMING_FIELDS) if (object[name] === title) names.add(name)
  if (names.has('rack') && typeof object.position === 'number') names.add('position').add('face')
  return names
}

/** Unit and face of a device in its rack. */
function positionOf({ position, face }: JsonObject): Content {
  if (typeof position !== 'number') return undefined
  return html` <span class="muted">U${position}${isJsonObject(face) && html` · ${translateLabel(String(face.label))}`}</span>`
}

import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { type Content, type Html, html } from '../html.ts'
import { type DisplayOptions, linkToObject } from './value.ts'

/** Fields that lead from a component to its parent. */
const PARENTS = ['device', 'virtual_machine', 'circuit', 'power_panel'] as const

/** An object with a link to its parent: the device, then its port. */
export function componentLink(object: JsonObject, options: DisplayOptions): Html {
  const parent = PARENTS.map((name) => object[name]).find((candidate) => isJsonObject(candidate))
  // A termination of a circuit repeats the circuit: `CID-1: Termination A`.
  const display = String(object.display)
  const repeated = isJsonObject(parent) ? `${parent.display}: ` : undefined
  const isRepeated = repeated !== undefined && display.startsWith(repeated)
  const shortObject = isRepeated ? { ...object, display: display.slice(repeated.length) } : object
  const link = linkToObject(shortObject, parent ? { ...options, contexts: NO_CONTEXTS } : options)
  return parent && typeof parent.url === 'string'
    ? html`${linkToObject(parent, { ...options, contexts: NO_CONTEXTS })} <span class="muted">›</span> ${link}`
    : link
}

const NO_CONTEXTS: DisplayOptions['contexts'] = new Map()

/** Objects as a list, each with its parent. */
export const componentList = (objects: readonly JsonObject[], options: DisplayOptions): Content =>
  html`<ul class="plain">${objects.map((object) => html`<li>${componentLink(object, options)}</li>`)}</ul>`

import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { type Content, type Html, html } from '../components/html.ts'

/** A value in short form: related objects as links, choices by their labels, timestamps with seconds. */
export function shortValue(value: Json | undefined): Content {
  if (value === undefined || value === null) return undefined
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (typeof value === 'string' && TIMESTAMP.test(value)) return timeElement(value)
  if (typeof value !== 'object') return value
  if (isJsonObject(value)) return linkTo(value) ?? String(value.label ?? value.value ?? '')
  return value.map((each, index) => [index > 0 && ', ', shortValue(each)])
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const timeElement = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC</time>`

/** Link to an object's page, with its display name; undefined for values that are not API objects. */
export function linkTo({ url, display, name }: JsonObject): Content {
  const label = display ?? name
  return typeof url === 'string' && typeof label === 'string' && /^https?:/.test(url)
    ? html`<a href="${url}">${label}</a>`
    : undefined
}

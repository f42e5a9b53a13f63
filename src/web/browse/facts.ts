import type { Json } from '../../schema/json.ts'
import { type Content, html } from '../components/html.ts'
import { valueView } from './value-view.ts'

/** A field of an object. */
export interface Fact {
  readonly label: string
  readonly value: Json
}

/** Facts as a description list; nothing if there are none. */
export const factsView = (facts: readonly Fact[]): Content =>
  facts.length > 0 &&
  html`<dl class="facts card">${facts.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${valueView(value)}</dd></div>\n`,
  )}</dl>`

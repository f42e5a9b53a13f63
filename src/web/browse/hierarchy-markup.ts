import { type Html, html } from '../components/html.ts'
import { numeral } from '../texts/numeral.ts'

/** An app with its endpoints. */
export interface HierarchyGroup {
  readonly label: string
  /** With the base path. */
  readonly path: string
  readonly entries: readonly {
    readonly label: string
    readonly path: string
    readonly count?: number
  }[]
}

/** Apps in columns, each with its endpoints. */
export const hierarchy = (groups: readonly HierarchyGroup[]): Html =>
  html`<div class="hierarchy">${groups.map(
    ({ label, path, entries }) =>
      html`<section class="card"><h2><a href="${path}">${label}</a></h2><ul>${entries.map(
        (entry) =>
          html`<li><a href="${entry.path}">${entry.label}</a>${entry.count !== undefined && html` <span class="count">${numeral(entry.count)}</span>`}</li>`,
      )}</ul></section>`,
  )}</div>`

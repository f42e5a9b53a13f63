import { type Content, type Html, html } from '../components/html.ts'

/** An element of a chain of supply. */
export interface ChainStep {
  readonly content: Content
  readonly about?: Content
  /** It belongs to the same device as the step before: no cable is between them. */
  readonly isInside?: boolean
  /** The chain ends here without a source. */
  readonly isOpen?: boolean
}

/** Elements in a row, with a line for each cable between them; in a column on narrow windows. */
export const chainView = (steps: readonly ChainStep[]): Html =>
  html`<ol class="chain">${steps.map(
    ({ content, about, isInside = false, isOpen = false }) =>
      html`<li${isInside && html` class="within"`}><div class="step${isOpen && ' open'}">${content}${about !== undefined && about !== false && html`<small>${about}</small>`}</div></li>`,
  )}</ol>`

import { type Content, type Html, html } from '../components/html.ts'
import { numeral } from '../texts/numeral.ts'

/** A link from an object to related objects. */
export interface RelatedLink {
  readonly label: string
  /** Field of the relation, if the label does not name it. */
  readonly via?: string | undefined
  readonly count?: number | undefined
  /** With the base path. */
  readonly path: string
}

/** A titled list of links; nothing if there are none. */
export const relatedLinks = (title: string, links: readonly RelatedLink[]): Content =>
  links.length > 0 &&
  html`<section class="related"><h2>${title}</h2><ul>${links.map(linkView)}</ul></section>`

const linkView = ({ label, via, count, path }: RelatedLink): Html =>
  html`<li><a href="${path}">${label}</a>${count !== undefined && html` <span class="count">${numeral(count)}</span>`}${via !== undefined && html` <span class="muted">${via}</span>`}</li>`

/** A drawing that the API renders. */
export interface Picture {
  readonly label: string
  readonly path: string
}

export const picturesView = (pictures: readonly Picture[]): Content =>
  pictures.length > 0 &&
  html`<section class="pictures" aria-label="Drawings">${pictures.map(
    ({ label, path }) =>
      html`<figure><a href="${path}"><img src="${path}" alt="${label}" loading="lazy"></a><figcaption>${label}</figcaption></figure>`,
  )}</section>`

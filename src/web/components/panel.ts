import { type Content, type Html, html } from './html.ts'

/** A labelled value of an object. */
export interface Attribute {
  readonly label: string
  readonly value: Content
}

/** A panel of an object page: labelled values under a heading. */
export const attributesPanel = (title: string, attributes: readonly Attribute[], action?: Content): Html =>
  panel(
    title,
    html`<dl class="attributes">${attributes.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`,
    action,
  )

/** `action`: a link beside the heading. */
export const panel = (title: string, content: Content, action?: Content): Html =>
  html`<section class="card panel">${title !== '' && html`<h2>${title}${action && html` ${action}`}</h2>`}${content}</section>`

import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { copyButton } from './copy-button.ts'
import { EMPTY } from './value.ts'

/** A labelled value of an object. */
export interface Attribute {
  readonly label: string
  readonly value: Content
  /** Field that can be changed where the value stands. */
  readonly inline?: string | undefined
  /** Has a button that copies it. */
  readonly isCopied?: boolean
}

const attributeRow = ({ label, value, inline, isCopied = false }: Attribute): Html =>
  html`<div class="attribute"><dt>${label}</dt><dd${isCopied && value !== EMPTY && html` class="copied"`}${inline !== undefined && html` data-inline="${inline}"`}>${value}${isCopied && value !== EMPTY && copyButton()}</dd></div>`

/** Labelled values; empty ones are folded. */
function attributeList(attributes: readonly Attribute[]): Html {
  const empty = attributes.filter(({ value }) => value === EMPTY)
  return html`<dl class="attributes">${attributes.filter(({ value }) => value !== EMPTY).map(attributeRow)}</dl>${
    empty.length > 0 &&
    html`<details class="more-attributes"><summary>${translate('Show {count} empty field|Show {count} empty fields', { count: empty.length })}</summary><dl class="attributes">${empty.map(attributeRow)}</dl></details>`
  }`
}

/** A panel of an object page: labelled values under a heading. */
export const attributesPanel = (title: string, attributes: readonly Attribute[], action?: Content): Html =>
  panel(title, attributeList(attributes), action)

/** `action`: a link next to the heading. */
export const panel = (title: string, content: Content, action?: Content): Html =>
  html`<section class="card panel">${title !== '' && html`<h2>${title}${action && html` ${action}`}</h2>`}${content}</section>`

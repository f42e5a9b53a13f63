import { type Content, html } from '../html.ts'
import { dictionary } from './translate.ts'

/** Attribute of the page's body with the translated texts of scripts; empty in English, which scripts contain. */
export const scriptTexts = (): Content => {
  const texts = dictionary()?.scripts
  return texts !== undefined && html` data-texts="${JSON.stringify(texts)}"`
}

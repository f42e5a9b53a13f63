import { type Content, html } from '../components/html.ts'
import browser from './browser.de.json' with { type: 'json' }
import { currentLanguage, ENGLISH } from './language.ts'
import { templateFor } from './translate.ts'

/** The English texts of scripts. `Object.keys` types them only as strings, but this object contains nothing else. */
const TEXTS = Object.keys(browser) as readonly (keyof typeof browser)[]

/**
 * Attribute of the page's body with the texts of scripts in the page's language; empty in English, which scripts
 * contain.
 */
export const scriptTexts = (): Content =>
  currentLanguage() !== ENGLISH &&
  html` data-texts="${JSON.stringify(Object.fromEntries(TEXTS.map((text) => [text, templateFor(text, undefined)])))}"`

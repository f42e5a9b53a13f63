import { type Content, html } from '../components/html.ts'
import { germanBrowser } from './german/browser.ts'
import { currentLanguage, ENGLISH } from './language.ts'
import { templateFor } from './translate.ts'

/** The English texts of scripts. `Object.keys` has them as strings only: nothing else is in this object. */
const TEXTS = Object.keys(germanBrowser) as readonly (keyof typeof germanBrowser)[]

/** Attribute of the page's body with the texts of scripts in the page's language; nothing in English, which scripts have. */
export const scriptTexts = (): Content =>
  currentLanguage() !== ENGLISH &&
  html` data-texts="${JSON.stringify(
    Object.fromEntries(TEXTS.map((text) => [text, templateFor(text, undefined)])),
  )}"`

import { BROWSER_TEXTS } from '../texts/catalogue/browser.ts'
import { currentLanguage } from '../texts/current-language.ts'
import { ENGLISH } from '../texts/language.ts'
import { templateFor } from '../texts/translate.ts'
import { type Content, html } from './html.ts'

/** Attribute of the page's body with the texts of scripts in the page's language; nothing in English, which scripts have. */
export const scriptTexts = (): Content =>
  currentLanguage() !== ENGLISH &&
  html` data-texts="${JSON.stringify(
    Object.fromEntries(BROWSER_TEXTS.map((text) => [text, templateFor(text, undefined)])),
  )}"`

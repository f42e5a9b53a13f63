import { type Html, html } from '../html.ts'

/** The hidden field that proves that a form comes from a page of the session. */
export const csrfField = (token: string | undefined): Html =>
  html`<input type="hidden" name="csrfmiddlewaretoken" value="${token ?? ''}">`

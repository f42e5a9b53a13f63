import { html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'
import { layout } from './layout.ts'

/** A page with a single message. */
export const messagePage = (basePath: string, title: string, text: string): string =>
  layout({
    title,
    basePath,
    address: '/',
    viewer: undefined,
    isUnseen: true,
    body: html`<h1>${title}</h1><p>${text}</p><p><a href="${basePath}/">${translate('Start page')}</a></p>`,
  })

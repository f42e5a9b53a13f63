import { html } from './html.ts'
import { layout } from './layout.ts'

/** A page that says one thing. */
export const messagePage = (basePath: string, title: string, text: string): string =>
  layout({
    title,
    basePath,
    address: '/',
    viewer: undefined,
    isUnseen: true,
    body: html`<h1>${title}</h1><p>${text}</p><p><a href="${basePath}/">To the first page</a></p>`,
  })

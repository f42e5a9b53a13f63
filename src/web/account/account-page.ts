import type { ApiRequest } from '../../api/api-request.ts'
import { ACCOUNT_PAGES } from '../frame/header.ts'
import type { FramedPage } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A page of the user's account: a heading, links to the other pages, the content. */
export function accountPage(
  request: ApiRequest,
  page: keyof typeof ACCOUNT_PAGES,
  { content, status = 200 }: { readonly content: Content; readonly status?: number },
): FramedPage {
  const { basePath } = request.service.settings
  const title = translate(ACCOUNT_PAGES[page])
  return {
    title,
    status,
    styles: ['inputs.css', 'objects.css'],
    breadcrumbs: [{ label: title, path: `/user/${page}/` }],
    body: html`<h1>${title}</h1>
<nav class="tabs" aria-label="${translate('Account')}"><ul>${Object.entries(ACCOUNT_PAGES).map(
      ([path, label]) =>
        html`<li><a href="${basePath}/user/${path}/"${path === page && html` aria-current="page"`}>${translate(label)}</a></li>`,
    )}</ul></nav>
${content}`,
  }
}

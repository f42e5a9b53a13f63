import { type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A machine-readable text, with buttons that copy and download it. `href` is the address of the file. */
export const codeBlock = (text: string, href?: string): Html =>
  html`<div class="code-view"><div class="actions"><button type="button" class="quiet" data-copy hidden>${translate('Copy')}</button>${href !== undefined && html`<a class="button quiet" href="${href}" download>${translate('Download')}</a>`}</div>
<pre class="code" tabindex="0">${text}</pre></div>`

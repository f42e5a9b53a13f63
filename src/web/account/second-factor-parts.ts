import { renderSVG } from 'uqr'
import { totpAddress } from '../../identity/totp.ts'
import { type Content, html, trusted } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** The name of the service in authenticator applications. */
const ISSUER = 'Cadastre'

/** How to transfer the secret to an application: a QR code to scan, or the key to type. */
export function setUpSteps(secret: string, username: string): Content {
  const address = totpAddress(secret, username, ISSUER)
  // The library writes the picture only from the modules of the code.
  const picture = renderSVG(address, { pixelSize: 4 })
  return html`<ol>
<li>${translate('Scan this picture with an authenticator app, or enter the key.')}
<p>${trusted(picture.replace('<svg ', `<svg role="img" aria-label="QR" width="200" height="200" `))}</p>
<p><code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p></li>
<li>${translate('Enter the code that the app shows.')}</li>
</ol>`
}

export const codeField = (): Content =>
  html`<div class="field"><label for="code">${translate('Code')}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required autofocus></div>`

/** The recovery codes, shown once, to copy or to download. `next`: the page after they have been saved. */
export function recoveryList(codes: readonly string[], next: string): Content {
  const text = codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')).join('\n')
  return html`<p>${translate('Save these recovery codes. Each of them works once in place of a code from the app. They are not shown again.')}</p>
<div class="notice"><pre class="secret">${text}</pre>
<p class="buttons"><button type="button" class="quiet" data-copy hidden>${translate('Copy')}</button><a class="button quiet" download="${ISSUER.toLowerCase()}-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}">${translate('Download')}</a></p></div>
<p class="buttons"><a class="button" href="${next}">${translate('I have saved them')}</a></p>`
}

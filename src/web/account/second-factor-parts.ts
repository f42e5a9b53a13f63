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

/** The recovery codes, shown once. */
export const recoveryList = (codes: readonly string[]): Content =>
  html`<p>${translate('Save these recovery codes. Each of them works once in place of a code from the app. They are not shown again.')}</p>
<ul>${codes.map((code) => html`<li><code>${code.replace(/.{4}(?=.)/g, '$&-')}</code></li>`)}</ul>`

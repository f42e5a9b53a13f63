import { type Content, html, trusted } from '../components/html.ts'
import { bannerPlace } from '../frame/banners.ts'
import { layout } from '../frame/layout.ts'
import { translate } from '../texts/translate.ts'

/** Content of the login page. */
export interface Login {
  readonly basePath: string
  /** Path of the redirect after the login, with the base path. */
  readonly next: string
  readonly csrfToken: string
  readonly username: string | undefined
  readonly refusal: string | undefined
  /** Host of the login provider; undefined where there is none. */
  readonly provider: string | undefined
}

export const loginPage = (login: Login): string => {
  const { basePath, next } = login
  return layout({
    title: translate('Log in'),
    basePath,
    address: next.slice(basePath.length),
    viewer: undefined,
    body: html`<section class="card narrow" aria-labelledby="login">
<h1 id="login">${translate('Log in')}</h1>
${trusted(bannerPlace('login'))}
${refusalOf(login)}
${form(login)}
${providerLink(login)}
</section>`,
  })
}

const refusalOf = ({ refusal }: Login): Content =>
  refusal === undefined ? undefined : html`<p class="notice bad" role="alert">${refusal}</p>`

const form = ({
  basePath,
  next,
  csrfToken,
  username,
}: Login) => html`<form method="post" action="${basePath}/login/">
<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}">
<input type="hidden" name="next" value="${next}">
<div class="fields">
<div class="field"><label for="username">${translate('User name')}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></div>
<div class="field"><label for="password">${translate('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
</div>
<div class="buttons"><button>${translate('Log in')}</button></div>
</form>`

/** A link, not a form: it leads to another host, which the pages' policy forbids for forms. */
const providerLink = ({ basePath, next, provider }: Login): Content =>
  provider === undefined
    ? undefined
    : html`<p class="buttons"><a class="button quiet" href="${basePath}/oauth/login/oidc/?next=${encodeURIComponent(next)}">${translate('Log in with {provider}', { provider })}</a></p>`

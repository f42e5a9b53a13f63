import { cachedPreferencesOf, changePreferences } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { requireUser } from '../../identity/require-user.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { mainOf } from '../../service.ts'
import { csrfField } from '../components/csrf-field.ts'
import { icon } from '../components/icon.ts'
import { textIn } from '../forms/form-texts.ts'
import { RETURN, returnPath } from '../forms/return-path.ts'
import { favoriteNames } from '../frame/menu-subjects.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Last segment of the path of the form's target. */
const FAVORITE = 'favorite'
/** Lists that the menu can show at its top. */
const MOST = 30

/** POST of `…/favorite/`: adds the list to the top of the user's menu, or removes it. */
export async function favoritePage(request: ApiRequest, model: Model): Promise<PageResponse> {
  const user = requireUser(request)
  const service = mainOf(request.service)
  const list = `${service.settings.basePath}${pagePathOf(model)}`
  if (request.method !== 'POST') return seeOther(list)
  const form = await request.body.form()
  const otherFavorites = favoriteNames(await cachedPreferencesOf(service, user.id)).filter(
    (name) => name !== model.name,
  )
  const favorites = textIn(form, 'favorite') === 'true' ? [...otherFavorites, model.name].slice(-MOST) : otherFavorites
  await changePreferences(service, user.id, { menu: { favorites } })
  return seeOther(returnPath(request, textIn(form, RETURN)) ?? list)
}

/** The button that adds the list to the top of the menu; nothing without a session. */
export async function favoriteButton({ service, actor, csrfToken, url }: ApiRequest, model: Model): Promise<Content> {
  if (actor.kind !== 'user' || csrfToken === undefined) return undefined
  const names = favoriteNames(await cachedPreferencesOf(mainOf(service), actor.id))
  const isFavorite = names.includes(model.name)
  const label = translate('Favorite')
  return html`<form class="inline" method="post" action="${service.settings.basePath}${pagePathOf(model)}${FAVORITE}/">${csrfField(csrfToken)}<input type="hidden" name="${RETURN}" value="${url.pathname}${url.search}"><button class="icon-button" name="favorite" value="${isFavorite ? 'false' : 'true'}" aria-pressed="${isFavorite ? 'true' : 'false'}" aria-label="${label}" title="${label}">${icon('star')}</button></form>`
}

import { ID } from '../../api/routes.ts'
import { ApiError } from '../../base/errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type ApiRoutes, askApi, refusalIn } from '../data/ask-api.ts'
import { mayActOn, readOne } from '../data/page-objects.ts'
import type { ObjectPart, PageObject } from '../frame/object-content.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { seeOther } from '../frame/page-response.ts'
import { type SavedEffect, withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { type Text, translate } from '../texts/translate.ts'

interface ObjectAction {
  readonly label: Text
  readonly notice: SavedEffect
  /** False: the action would have no effect on the object in its present state. */
  readonly isOffered?: (object: JsonObject) => boolean
}

/** Actions of the API that take no values, by the last segment of their path. */
const ACTIONS: Readonly<Record<string, ObjectAction>> = {
  sync: { label: 'Sync', notice: 'queued' },
  replay: { label: 'Send again', notice: 'replayed' },
  // The API cancels what has another attempt to come.
  cancel: { label: 'Cancel', notice: 'canceled', isOffered: (delivery) => delivery.next_attempt !== null },
}

/** Buttons of the API's actions on an object. */
export const actionsPart: ObjectPart = {
  // Branches have their own buttons, which ask for confirmation.
  models: ({ name }) => name !== SYSTEM.branch,
  pages: (routes, model) =>
    actionPathsOf(routes, model).map((name) => [`${ID}/${name}/`, 'GET POST', actionPage(routes, name)]),
  load: async (object) => ({ actions: await actionButtons(object) }),
}

/** Last segments of the actions that the model's objects have. */
const actionPathsOf = (routes: ApiRoutes, { path }: Model): readonly string[] =>
  Object.keys(ACTIONS).filter((name) => routes.find(`/api/${path}/${ID}/${name}/`)?.endpoint.methods.POST !== undefined)

/** Buttons of the actions that the sender may perform on the object. */
async function actionButtons({ routes, request, model, object }: PageObject): Promise<Content> {
  const { csrfToken, service } = request
  const page = `${service.settings.basePath}${pagePathOf(model)}${object.id}/`
  const names = actionPathsOf(routes, model).filter((name) => ACTIONS[name]?.isOffered?.(object) ?? true)
  const permitted = await Promise.all(
    names.map((name) => mayActOn(request, name === 'sync' ? 'sync' : 'change', model, Number(object.id))),
  )
  return names
    .filter((_, index) => permitted[index])
    .map(
      (name) => html`<form class="inline" method="post" action="${page}${name}/">
${csrfField(csrfToken)}
<button class="quiet">${labelOf(name)}</button></form>`,
    )
}

function labelOf(name: string): string {
  const label = ACTIONS[name]?.label
  return label ? translate(label) : name
}

/** POST of `…/<id>/sync/` and similar actions: performs the action, then redirects to the object. */
const actionPage =
  (routes: ApiRoutes, name: string): ModelPage =>
  async (request, model) => {
    const { object } = await readOne(request, model)
    const page = `${request.service.settings.basePath}${pagePathOf(model)}${object.id}/`
    const notice = ACTIONS[name]?.notice
    if (request.method !== 'POST' || !notice) return seeOther(page)
    const path = `${model.path}/${object.id}/${name}/`
    const refusal = refusalIn(await askApi(routes, request, { path, method: 'POST', body: {} }))
    if (refusal !== undefined) throw new ApiError({ kind: 'malformed', detail: refusal })
    return seeOther(withEffect(page, notice))
  }

import { cachedPreferencesOf } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { words } from '../../schema/view.ts'
import { mainOf } from '../../service.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { csrfField } from '../components/csrf-field.ts'
import { icon } from '../components/icon.ts'
import { shownNoun } from '../components/model-title.ts'
import { START } from '../frame/header.ts'
import { type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** What a network begins with, in the order in which the objects need one another. */
const BEGINNINGS = words('dcim.site dcim.rack dcim.devicetype dcim.device ipam.prefix dcim.cable')

/** Name of the user's preference, and of its value in the form that changes it. */
export const FIRST_STEPS = 'first_steps'
export const CLOSED = 'closed'

interface Step {
  readonly model: Model
  readonly isDone: boolean
}

/** The steps that the user may take; done if there is such an object that the user may view. */
async function stepsFor({ actor, service }: ApiRequest): Promise<readonly Step[]> {
  const { registry, settings } = service
  const models = BEGINNINGS.map((name) => registry.model(name)).filter((model) => mayAct(actor, 'add', model, settings))
  if (models.length === 0) return []
  const existing = models.map((model) => sql`exists (select from ${table(model)} t)`)
  const security = rowSecurityOf(actor, registry, settings)
  const statement = applyRowSecurity(security, sql`select unnest(array[${join(existing)}])`)
  const answers = await cachedColumn(service, statement)
  return models.map((model, index) => ({ model, isDone: answers[index] === true }))
}

/** Whether the user has closed the list on the start page. */
async function isClosed({ actor, service }: ApiRequest): Promise<boolean> {
  if (actor.kind !== 'user') return true
  const preferences = await cachedPreferencesOf(mainOf(service), actor.id)
  const stored = preferences[FIRST_STEPS]
  return isJsonObject(stored) && stored[CLOSED] === true
}

/** The list for the start page, until the user closes it or has taken all steps; undefined afterwards. */
export async function firstSteps(request: ApiRequest): Promise<Html | undefined> {
  if (await isClosed(request)) return undefined
  const steps = await stepsFor(request)
  if (steps.every(({ isDone }) => isDone)) return undefined
  return html`<section class="card first-steps" aria-labelledby="first-steps"><div class="heading"><h2 id="first-steps">${translate('First steps')}</h2>${closing(request, true)}</div>
${stepList(request, steps, 3)}</section>`
}

/** The list as a page of its own, where it stays available. */
export async function firstStepsPage(request: ApiRequest): Promise<Html> {
  const closed = await isClosed(request)
  return html`<section class="card first-steps">${stepList(request, await stepsFor(request), 2)}${closed && closing(request, false)}</section>`
}

/** The button that closes the list on the start page, or opens it again. */
const closing = ({ csrfToken, service }: ApiRequest, closes: boolean): Html =>
  html`<form method="post" action="${service.settings.basePath}${START.steps}">${csrfField(csrfToken)}<input type="hidden" name="${CLOSED}" value="${String(closes)}"><button class="quiet small">${closes ? translate('Close') : translate('Show on the start page')}</button></form>`

/** `level`: of the heading within the page. */
function stepList(request: ApiRequest, steps: readonly Step[], level: 2 | 3): Html {
  const { actor, service } = request
  const { basePath } = service.settings
  const isSuperuser = actor.kind === 'user' && actor.isSuperuser
  const mayAddSites = mayAct(actor, 'add', service.registry.model('dcim.site'), service.settings)
  const done = steps.filter(({ isDone }) => isDone).length
  const ways: readonly (readonly [isOffered: boolean, path: string, label: string, about: string])[] = [
    [
      isSuperuser,
      START.netBox,
      translate('Import from NetBox'),
      translate('Everything that a running NetBox shows to a superuser’s token, with its ids and its change log.'),
    ],
    [
      mayAddSites,
      '/dcim/sites/import/',
      translate('Import sites'),
      translate('Paste rows, or upload CSV, JSON or YAML. Begin with sites; every list has an import.'),
    ],
    [
      isSuperuser,
      START.sample,
      translate('Sample network'),
      translate('A small network of an imagined trust, to try things on. It can be removed again at any time.'),
    ],
    [
      true,
      START.tutorial,
      translate('Tutorial'),
      translate('A new site in a quarter of an hour: rack, devices, cable, prefix and address.'),
    ],
  ]
  const heading = steps.length > 0 ? translate('Other ways to begin') : translate('Ways to begin')
  return html`${
    steps.length > 0 &&
    html`<p class="muted">${translate('{done} of {count} done', { done, count: steps.length })}</p><ol class="steps">${steps.map(
      ({ model, isDone }) =>
        html`<li class="${isDone && 'done'}"><span class="tick" aria-hidden="true">${isDone && icon('check')}</span><div><a href="${basePath}${pagePathOf(model)}${isDone ? '' : 'add/'}">${translate('Add {model}', { model: shownNoun(model) })}</a>${isDone && html`<span class="visually-hidden"> ${translate('(done)')}</span>`}<p>${translateLabel(model.definition.about ?? '')}</p></div></li>`,
    )}</ol>`
  }
${level === 2 ? html`<h2>${heading}</h2>` : html`<h3>${heading}</h3>`}<ul class="ways">${ways.map(
    ([isOffered, path, label, about]) =>
      isOffered && html`<li><a href="${basePath}${path}">${label}</a><p>${about}</p></li>`,
  )}</ul>`
}

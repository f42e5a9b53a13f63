import type { ApiRequest } from '../../api/api-request.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { BRANCH_PARAMETER } from '../../read/branches/branch-service.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { csrfField } from '../components/csrf-field.ts'
import { icon } from '../components/icon.ts'
import { RETURN } from '../forms/return-path.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { BRANCH_FIELD } from './page-branch.ts'

/** Path of the endpoint that stores the chosen branch. */
export const CHOOSE_BRANCH = '/user/branch/'

/** Maximum number of branches in the menu; the list has all of them. */
const MOST = 20

/** A form whose buttons choose a branch, and lead to `next`: a path with the base path. */
export const branchForm = ({ service, csrfToken }: ApiRequest, next: string, buttons: Content): Html =>
  html`<form class="inline" method="post" action="${service.settings.basePath}${CHOOSE_BRANCH}">${csrfField(csrfToken)}<input type="hidden" name="next" value="${next}">${buttons}</form>`

/**
 * The menu of the header: main and the open branches, the chosen one marked. Nothing if the user may not view any
 * branches.
 */
export function branchMenu(request: ApiRequest): Content {
  const { service, actor, url, csrfToken, branches } = request
  const { registry, settings } = service
  const model = registry.model(SYSTEM.branch)
  if (!branches || csrfToken === undefined || !mayAct(actor, 'view', model, settings)) return undefined
  const { open, chosen } = branches
  const list = `${settings.basePath}${pagePathOf(model)}`
  const name = chosen?.name ?? translate('Main')
  const choice = (schemaId: string, label: string): Html =>
    html`<li><button class="quiet" name="${BRANCH_PARAMETER}" value="${schemaId}"${schemaId === (chosen?.schemaId ?? '') && html` aria-current="true"`}><bdi>${label}</bdi></button></li>`
  return html`<details class="branch-menu"><summary aria-label="${translate('Branch: {name}', { name })}" title="${translate('Branch: {name}', { name })}">${icon('branch')}<span><bdi>${name}</bdi></span></summary><div>
${branchForm(request, `${url.pathname}${url.search}`, html`<ul>${choice('', translate('Main'))}${open.slice(0, MOST).map((branch) => choice(branch.schemaId, branch.name))}</ul>`)}
<ul class="last"><li><a href="${list}">${translate('All branches')}</a></li>${mayAct(actor, 'add', model, settings) && html`<li><a href="${list}add/?${new URLSearchParams({ [RETURN]: `${url.pathname}${url.search}` }).toString()}">${translate('Add a branch')}</a></li>`}</ul></div></details>`
}

/** A line at the top of a page: the branch that it shows, or why it shows main again. */
export async function branchLine(request: ApiRequest): Promise<Content> {
  const { service, branches, url } = request
  const { chosen, notice } = branches ?? {}
  if (notice !== undefined) return html`<p class="notice warn" role="status" data-branch-closed>${notice}</p>`
  if (!chosen) return undefined
  const main = mainOf(service)
  const count = (await changedObjects(main, [chosen.id])).get(chosen.id) ?? 0
  const { basePath } = service.settings
  const page = `${basePath}${pagePathOf(main.registry.model(SYSTEM.branch))}${chosen.id}/`
  const changes = translate('{count} changed object|{count} changed objects', { count })
  return html`<div class="branch-line" role="note" aria-label="${translate('Branch: {name}', { name: chosen.name })}">${icon('branch')}<a class="name" href="${page}" title="${chosen.name}"><bdi>${chosen.name}</bdi></a><a href="${page}changes/">${changes}</a>${
    !service.branch && html`<span class="muted">${translate('This page is the same in all branches.')}</span>`
  }${branchForm(request, `${url.pathname}${url.search}`, html`<button class="quiet" name="${BRANCH_PARAMETER}" value="">${translate('Back to main')}</button>`)}</div>`
}

/**
 * The markup with the branch in all forms that write, so that they write to it, whichever branch is selected when they
 * are sent. Links to documents of the API name it too, because the API ignores the cookie.
 */
export function withBranch(markup: string, basePath: string, schemaId: string): string {
  const field = html`<input type="hidden" name="${BRANCH_FIELD}" value="${schemaId}">`.toString()
  const api = `${basePath}/api/`
  return markup
    .replaceAll(CSRF_INPUT, `${field}${CSRF_INPUT}`)
    .replace(/(<(?:a|img)\b[^>]*?\s(?:href|src)=")(\/[^"#]*)/g, (all, head: string, path: string) =>
      path.startsWith(api) && COLLECTION.test(path.slice(api.length))
        ? `${head}${path}${path.includes('?') ? '&amp;' : '?'}${BRANCH_PARAMETER}=${schemaId}`
        : all,
    )
}

const CSRF_INPUT = '<input type="hidden" name="csrfmiddlewaretoken"'
/** Path of the API's objects below its root. */
const COLLECTION = /^(?!schema\/)[a-z-]+\/[a-z-]+\//

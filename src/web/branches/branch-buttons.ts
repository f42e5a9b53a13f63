import type { ApiRequest } from '../../api/api-request.ts'
import { comparedConflicts, isOpen as isUndecided, mergeProblem } from '../../changes/branches/merge.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { BRANCH_PARAMETER, type Branch } from '../../read/branches/branch-service.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { mayActOn } from '../data/page-objects.ts'
import { RETURN } from '../forms/return-path.ts'
import { branchForm } from '../frame/branch-menu.ts'
import type { PageObject, RequestedObject } from '../frame/object-content.ts'
import type { SavedEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { addressHere } from '../object-parts/add-child.ts'
import { type Text, translate } from '../texts/translate.ts'
import { branchOf } from './net-changes.ts'

export interface BranchAction {
  readonly label: Text
  readonly permission: string
  /** The status in which branches have the action. */
  readonly status: string
  readonly notice: SavedEffect
  /** Only after the conflicts have been decided. */
  readonly needsDecisions?: true
  /** Nothing can be changed in the branch afterwards. */
  readonly closes?: true
  /** The change log can undo it. */
  readonly hasUndo?: true
}

/** The actions on a branch, by the last segment of their path. */
export const ACTIONS = {
  merge: { label: 'Merge', permission: 'merge', status: OPEN, notice: 'merged', needsDecisions: true, closes: true },
  sync: { label: 'Sync', permission: 'sync', status: OPEN, notice: 'synchronised', needsDecisions: true },
  archive: { label: 'Archive', permission: 'archive', status: OPEN, notice: 'archived', hasUndo: true, closes: true },
  revert: { label: 'Revert the merge', permission: 'merge', status: 'merged', notice: 'reverted' },
} as const satisfies Readonly<Record<string, BranchAction>>

export type ActionName = keyof typeof ACTIONS
export const NAMES = Object.keys(ACTIONS) as readonly ActionName[]

/** The buttons of a branch: on its page, and beside its changes and conflicts. `problem`: why it may not be merged. */
export async function branchButtons(page: PageObject, problem: string | undefined): Promise<Content> {
  const { request, model, object } = page
  const branch = branchOf(object)
  const [open, permitted] = await Promise.all([
    countConflicts(page),
    Promise.all(NAMES.map((name) => mayPerform(request, model, branch, name))),
  ])
  // The one action that people who work in the branch come for; others switch to it first.
  const main: ActionName | undefined = open === 0 && request.branches?.chosen?.id === branch.id ? 'merge' : undefined
  return html`${open > 0 && (await resolveButton(request, branch))}${switchButton(request, branch, object.schema_id, open === 0)}${branch.status === OPEN && requestButton(page)}${NAMES.filter((_, index) => permitted[index]).map((name) => actionButton(request, name, `${addressOf(page)}${name}/`, problem, name === main))}`
}

/**
 * Number of undecided conflicts that a comparison with main shows. What rules would refuse is not among them: to find
 * out, the merge has to be tried, with locks on main.
 */
export const conflictCount = async ({ service }: ApiRequest, { id, status }: Branch): Promise<number> =>
  status === OPEN ? (await comparedConflicts(mainOf(service), id)).filter(isUndecided).length : 0

/** The undecided conflicts of the branch whose page this is, which needs their number more than once. */
export const countConflicts = oncePer(
  async ({ request, object }: PageObject): Promise<number> => await conflictCount(request, branchOf(object)),
)

/** Leads to the conflicts of the branch, unless this is their page; nothing for users who may not decide about them. */
export async function resolveButton(request: ApiRequest, { id }: Branch): Promise<Content> {
  const model = request.service.registry.model(SYSTEM.branch)
  if (request.url.pathname.endsWith('/conflicts/') || !(await mayActOn(request, 'change', model, id))) return undefined
  return html`<a class="button" href="${addressOf({ request, model, object: { id } })}conflicts/">${translate('Resolve conflicts')}</a>`
}

/** A link to the form for a change request of the branch; nothing for users who may not add any. */
function requestButton({ request, object }: RequestedObject): Content {
  const { actor, service } = request
  const model = service.registry.model(SYSTEM.changeRequest)
  if (!mayAct(actor, 'add', model, service.settings)) return undefined
  const presets = { branch: String(object.id), title: String(object.name), [RETURN]: addressHere(request) }
  return html`<a class="button quiet" href="${service.settings.basePath}${pagePathOf(model)}add/?${new URLSearchParams(presets).toString()}">${translate('Ask for a review')}</a>`
}

/** Why policies do not allow the reader to merge the open branch; undefined if they do. */
export const problemOf = async ({ service, actor }: ApiRequest, { id, status }: Branch): Promise<string | undefined> =>
  status === OPEN && actor.kind === 'user' ? await mergeProblem(service, id, actor) : undefined

/** A link to the page of the action; a disabled button if policies do not allow the merge. Superusers may override them. */
export function actionButton(
  { actor }: ApiRequest,
  name: ActionName,
  address: string,
  problem: string | undefined,
  isPrimary = false,
): Html {
  const label = translate(ACTIONS[name].label)
  const isRefused = name === 'merge' && problem !== undefined && !(actor.kind === 'user' && actor.isSuperuser)
  return isRefused
    ? html`<button class="quiet" disabled title="${problem}">${label}</button>`
    : html`<a class="button${!isPrimary && ' quiet'}" href="${address}">${label}</a>`
}

/** Path of the page of the object. */
export const addressOf = ({ request, model, object }: Pick<PageObject, 'request' | 'model' | 'object'>): string =>
  `${request.service.settings.basePath}${pagePathOf(model)}${Number(object.id)}/`

/** Whether the branch has the action now, and the sender may perform it. */
export const mayPerform = async (request: ApiRequest, model: Model, { id, status }: Branch, name: ActionName) =>
  ACTIONS[name].status === status && (await mayActOn(request, ACTIONS[name].permission, model, id))

/** Chooses the branch for all pages; nothing for the chosen branch and for closed ones. */
function switchButton(request: ApiRequest, { id, status }: Branch, schemaId: unknown, isPrimary: boolean): Content {
  if (status !== OPEN || request.csrfToken === undefined || request.branches?.chosen?.id === id) return undefined
  return branchForm(
    request,
    request.url.pathname,
    html`<button${!isPrimary && html` class="quiet"`} name="${BRANCH_PARAMETER}" value="${String(schemaId)}">${translate('Switch to this branch')}</button>`,
  )
}

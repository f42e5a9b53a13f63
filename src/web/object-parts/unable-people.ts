import type { ApiRequest } from '../../api/api-request.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { loadUsers, type UserRow } from '../../identity/load-user.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { usersOfNotificationGroup } from '../../write/record/notified-users.ts'
import { shownPluralNoun } from '../components/model-title.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Values of an object, as the API shows them or as a form sends them. */
type Values = Readonly<Record<string, unknown>>

/** A choice of people, which has no effect on those who lack a permission. */
interface PeopleChoice {
  /** The field whose form refuses such a choice; absent: people are chosen indirectly, so the page only warns. */
  readonly field?: string
  /** Ids (`id`) of the chosen users; undefined if there are none. */
  readonly users: (request: ApiRequest, values: Values) => Sql | undefined
  readonly needs: (values: Values) => readonly (readonly [PermissionAction, string])[]
  readonly inactive: (name: string) => string
  readonly missing: (parts: MissingPermission) => string
}

/** Name of the user, action and objects. */
type MissingPermission = Readonly<Record<'name' | 'action' | 'objects', string>>

/** Sentences of a page; the others are not worth reading. */
const MOST_SENTENCES = 5

const idsIn = (value: unknown): readonly number[] =>
  [value]
    .flat()
    .map((chosen) => Number(isJsonObject(chosen) ? chosen.id : (chosen ?? Number.NaN)))
    .filter((id) => Number.isSafeInteger(id))

const chosenIn =
  (field: string) =>
  (_request: ApiRequest, values: Values): Sql | undefined => {
    const ids = idsIn(values[field])
    return ids.length === 0 ? undefined : sql`select unnest(${ids}::bigint[]) as id`
  }

const NOT_NOTIFIED = {
  inactive: (name: string) => translate('{name} will not be notified: the user is not active.', { name }),
  missing: (parts: MissingPermission) => translate('{name} will not be notified: needs {action} on {objects}.', parts),
}

const CHOICES: Readonly<Record<string, PeopleChoice>> = {
  [SYSTEM.changeRequest]: {
    field: 'reviewers',
    users: chosenIn('reviewers'),
    needs: () => [
      ['view', SYSTEM.changeRequest],
      ['add', SYSTEM.changeReview],
    ],
    inactive: (name: string) => translate('{name} may not review: the user is not active.', { name }),
    missing: (parts: MissingPermission) => translate('{name} may not review: needs {action} on {objects}.', parts),
  },
  [SYSTEM.branch]: {
    field: 'owner',
    users: chosenIn('owner'),
    needs: () => [['view', SYSTEM.branch]],
    inactive: (name: string) => translate('{name} cannot use the branch: the user is not active.', { name }),
    missing: (parts: MissingPermission) =>
      translate('{name} cannot use the branch: needs {action} on {objects}.', parts),
  },
  [SYSTEM.notificationGroup]: {
    field: 'users',
    users: chosenIn('users'),
    needs: () => [],
    ...NOT_NOTIFIED,
  },
  [SYSTEM.eventRule]: {
    users: ({ service }, { action_object_type: type, action_object_id: id }) =>
      type === SYSTEM.notificationGroup ? usersOfNotificationGroup(service, Number(id)) : undefined,
    // Nobody sees notifications about objects that they may not view.
    needs: ({ object_types: types }) => (Array.isArray(types) ? types.map((type) => ['view', String(type)]) : []),
    ...NOT_NOTIFIED,
  },
}

/** Sentences about chosen people on whom the choice has no effect, with the missing permission. */
async function peopleProblems(request: ApiRequest, choice: PeopleChoice, values: Values): Promise<readonly string[]> {
  const { database, registry, settings } = request.service
  const chosen = choice.users(request, values)
  if (!chosen) return []
  const rows = await database.query<UserRow & { readonly is_active: boolean } & Record<string, unknown>>(sql`
    select u.id, u.username, u.is_superuser, u.is_active from ${table(SYSTEM.user)} u
    where u.id in (${chosen}) order by u.username`)
  const needs = choice.needs(values).flatMap(([action, name]) => {
    const model = registry.models.get(name)
    return model ? [[action, model] as const] : []
  })
  const users = await loadUsers(database, request.service, rows)
  return users.flatMap((user, index) => {
    const name = user.username
    if (rows[index]?.is_active === false) return [choice.inactive(name)]
    const [action, model] = needs.find(([needed, of]) => !mayAct(user, needed, of, settings)) ?? []
    if (!action || !model) return []
    return [choice.missing({ name, action, objects: shownPluralNoun(model) })]
  })
}

/** The field of a form in which people are chosen on whom the choice has no effect, and the reasons. */
export async function unfitPeople(
  request: ApiRequest,
  model: Model,
  body: Values,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const choice = CHOICES[model.name]
  if (choice?.field === undefined || !(choice.field in body)) return undefined
  const problems = await peopleProblems(request, choice, body)
  return problems.length > 0 ? { [choice.field]: problems } : undefined
}

/** Warns on pages of people who were chosen, for instance by the API, and on whom the choice has no effect. */
export const unablePeoplePart: ObjectPart = {
  models: Object.keys(CHOICES),
  load: async ({ request, model, object }) => {
    const choice = CHOICES[model.name]
    const isOver = ['merged', 'closed', 'archived'].includes(String(isJsonObject(object.status) && object.status.value))
    if (!choice || isOver) return {}
    const problems = await peopleProblems(request, choice, object)
    const sentences = problems.slice(0, MOST_SENTENCES)
    const more = problems.length - sentences.length
    return {
      left: html`${sentences.map((sentence) => html`<p class="notice warn">${sentence}</p>`)}${more > 0 && html`<p class="muted">${translate('and {count} more', { count: more })}</p>`}`,
    }
  },
}

import type { ApiRequest } from '../../api/api-request.ts'
import { loadUsers, type UserRow } from '../../identity/load-user.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownPluralNoun } from '../components/model-title.ts'
import { translate } from '../texts/translate.ts'

/** What a reviewer must be allowed to do. */
const NEEDED = [
  ['view', SYSTEM.changeRequest],
  ['add', SYSTEM.changeReview],
] as const

/** Sentences about those among the reviewers of a change request who cannot review it, with the missing permission. */
export async function reviewerProblems({ service }: ApiRequest, reviewers: unknown): Promise<readonly string[]> {
  const { database, registry, settings } = service
  const ids = [reviewers].flat().map((reviewer) => Number(isJsonObject(reviewer) ? reviewer.id : reviewer))
  const validIds = ids.filter((id) => Number.isSafeInteger(id))
  if (validIds.length === 0) return []
  const rows = await database.query<UserRow & { readonly is_active: boolean } & Record<string, unknown>>(sql`
    select u.id, u.username, u.is_superuser, u.is_active from ${table(SYSTEM.user)} u
    where u.id = any(${validIds}::bigint[]) order by u.username`)
  const users = await loadUsers(database, service, rows)
  return users.flatMap((user, index) => {
    const name = user.username
    if (rows[index]?.is_active === false) return [translate('{name} may not review: the user is not active.', { name })]
    const missing = NEEDED.find(([action, type]) => !mayAct(user, action, registry.model(type), settings))
    if (!missing) return []
    const [action, type] = missing
    const objects = shownPluralNoun(registry.model(type))
    return [translate('{name} may not review: needs {action} on {objects}.', { name, action, objects })]
  })
}

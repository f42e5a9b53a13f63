import { invalid } from '../../../base/errors.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { cachedColumn } from '../../../read/query/cached-column.ts'
import { complainOfDocument } from '../../../schema/fields/text.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Service } from '../../../service.ts'
import type { Sql } from '../../../sql/fragment.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { insertInto, table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { jsonResponse } from '../../response.ts'
import { type Action, ANY_OBJECT } from '../action.ts'

/** The user's own preferences, or those of the configuration. */
async function preferencesOf({ settings }: Service, queryable: Queryable, user: number): Promise<JsonObject> {
  const [row] = await queryable.query<{ data: string }>(statementFor(user))
  return preferencesIn(row?.data, settings)
}

/** As `preferencesOf`, from the cache: for preferences that every page reads. */
export async function cachedPreferencesOf(service: Service, user: number): Promise<JsonObject> {
  const [data] = await cachedColumn(service, statementFor(user))
  return preferencesIn(data, service.settings)
}

const statementFor = (user: number): Sql =>
  sql`select data from ${table('users.userconfig')} where user_id = ${user}::bigint`

function preferencesIn(data: unknown, settings: Service['settings']): JsonObject {
  const preferences: unknown = typeof data === 'string' ? JSON.parse(data) : settings.defaultUserPreferences
  return isJsonObject(preferences) ? preferences : {}
}

async function change(request: ApiRequest) {
  const user = requireUser(request).id
  const changes = (await request.body.read()) ?? {}
  if (!isJsonObject(changes)) {
    throw invalid({ non_field_errors: ['Expected an object with named preferences.'] })
  }
  const complaint = complainOfDocument(changes)
  if (complaint !== undefined) throw invalid({ non_field_errors: [complaint] })
  return jsonResponse(200, await changePreferences(request.service, user, changes))
}

/** Merges the changes into the user's preferences and returns them all. */
export const changePreferences = (service: Service, user: number, changes: JsonObject): Promise<JsonObject> =>
  service.database.transaction(async (transaction) => {
    // Locks the user's row, because the preferences may not exist yet.
    await transaction.query(sql`select id from ${table('users.user')} where id = ${user}::bigint for update`)
    const merged = merge(await preferencesOf(service, transaction, user), changes)
    await transaction.execute(sql`
      ${insertInto('users.userconfig')} (user_id, data)
      values (${user}::bigint, ${JSON.stringify(merged)}::jsonb)
      on conflict (user_id) do update set data = excluded.data`)
    return merged
  })

/** Merges objects key by key and replaces all other values. */
function merge(old: JsonObject, changes: JsonObject): JsonObject {
  // Entries rather than assignments, so that a key such as __proto__ is an ordinary one.
  const merged = new Map<string, Json>(Object.entries(old))
  for (const [name, value] of Object.entries(changes)) {
    const before = merged.get(name)
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value)
  }
  return Object.fromEntries(merged)
}

/** The user's own preferences. */
export const userPreferences: Action = {
  path: 'users/config',
  hasNoHistory: true,
  title: 'User Config',
  description: 'Preferences of the requesting user. PATCH merges the body into them.',
  methods: {
    GET: {
      permission: 'user',
      answer: ANY_OBJECT,
      handle: async (request) =>
        jsonResponse(200, await preferencesOf(request.service, request.service.database, requireUser(request).id)),
    },
    PATCH: {
      permission: 'user',
      body: ANY_OBJECT,
      answer: ANY_OBJECT,
      // As recorded: preferences are not part of the inventory.
      takesReadingTokens: true,
      handle: change,
    },
  },
}

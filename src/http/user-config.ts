import { invalid } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { json } from './answer.ts'
import { requireUser } from './api-request.ts'
import type { Endpoint } from './endpoint.ts'

/** GET and PATCH /api/users/config/: what the user who asks has set for the pages. */
export const userConfig: Endpoint = {
  name: 'User Config',
  description: 'Preferences of the user who asks. PATCH merges what it is given into them.',
  methods: {
    GET: async (request) =>
      json(200, await preferencesOf(request.service.database, requireUser(request).id)),
    PATCH: async (request) => {
      const { id } = requireUser(request)
      const changes = (await request.body.read()) ?? {}
      if (!isJsonObject(changes)) {
        throw invalid({ non_field_errors: ['Expected an object with named preferences.'] })
      }
      return await request.service.database.transaction(async (transaction) => {
        // The user's row stands for the preferences, which may not exist yet.
        await transaction.query(sql`select id from users_user where id = ${id}::bigint for update`)
        const merged = merge(await preferencesOf(transaction, id), changes)
        await transaction.execute(sql`
          insert into users_userconfig (user_id, data) values (${id}::bigint, ${JSON.stringify(merged)}::jsonb)
          on conflict (user_id) do update set data = excluded.data`)
        return json(200, merged)
      })
    },
  },
}

async function preferencesOf(queryable: Queryable, userId: number): Promise<JsonObject> {
  const [row] = await queryable.query<{ data: string }>(
    sql`select data from users_userconfig where user_id = ${userId}::bigint`,
  )
  const data: unknown = row ? JSON.parse(row.data) : {}
  return isJsonObject(data) ? data : {}
}

/** Objects are merged name by name, everything else is replaced. */
function merge(old: JsonObject, changes: JsonObject): JsonObject {
  // Entries rather than assignments, so that a name such as __proto__ is a name like any other.
  const merged = new Map<string, Json>(Object.entries(old))
  for (const [name, value] of Object.entries(changes)) {
    const before = merged.get(name)
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value)
  }
  return Object.fromEntries(merged)
}

import { declaredSettings } from '../../models/core/pack.ts'
import { cachedColumn } from '../../read/query/cached-column.ts'
import { isJsonObject, type Json, parseJson } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The settings of a pack by name, of which those that nobody has changed have their defaults. */
export async function settingsOfPack(service: Service, name: string): Promise<Readonly<Record<string, Json>>> {
  const [text] = await cachedColumn(
    service,
    sql`select jsonb_build_array(adds, settings)::text from ${table(SYSTEM.pack)} where name = ${name}`,
  )
  const [adds, changed] = (typeof text === 'string' ? parseJson(text) : []) as readonly Json[] // an array, as written above
  const defaults = Object.entries(declaredSettings(adds)).map(([key, setting]) => [key, setting.default] as const)
  return { ...Object.fromEntries(defaults), ...(isJsonObject(changed) ? changed : {}) }
}

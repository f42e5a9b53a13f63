import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { ProcessPool } from '../python/host/pool.ts'
import { poolOf } from './render.ts'

/** A value that Jinja has to render. */
const HAS_EXPRESSION = '\\{[{%#]'

/** Models whose objects are or contain templates, and the condition for objects with templates. */
const TEMPLATES: ReadonlyMap<string, Sql> = new Map([
  [SYSTEM.configTemplate, sql`true`],
  [SYSTEM.exportTemplate, sql`true`],
  [SYSTEM.customLink, sql`t.enabled`],
  [SYSTEM.webhook, sql`concat(t.payload_url, t.additional_headers, t.body_template) ~ ${HAS_EXPRESSION}`],
])

/**
 * Keeps an interpreter running while there are templates, so that no request waits for one to start; resolves once the
 * templates have been counted. Without templates, no interpreter runs.
 */
export async function keepTemplatesReady(service: Service, pool?: Pick<ProcessPool, 'keepWarm'>): Promise<void> {
  const update = async () => {
    try {
      const current = pool ?? poolOf(currentService(service))
      current.keepWarm(await hasTemplates(service))
    } catch {
      // The database is unreachable. The first rendering starts an interpreter if none is running by then.
    }
  }
  service.cache.log.watch([...TEMPLATES.keys()], () => void update())
  await update()
}

async function hasTemplates({ registry, database }: Service): Promise<boolean> {
  const exist = [...TEMPLATES].map(
    ([name, condition]) => sql`exists (select from ${table(registry.model(name))} t where ${condition})`,
  )
  const [row] = await database.query<{ found: boolean }>(sql`select ${join(exist, ' or ')} as found`)
  return row?.found ?? false
}

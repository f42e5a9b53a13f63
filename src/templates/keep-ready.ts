import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { join, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { poolOf } from './render.ts'
import type { TemplatePool } from './template-pool.ts'

/** Models whose objects are templates. */
const TEMPLATE_MODELS = [SYSTEM.configTemplate, SYSTEM.exportTemplate]

/**
 * Keeps an interpreter running while there are templates, so that no request waits for one to start; resolves once
 * the templates have been counted. A service without templates runs none.
 */
export async function keepTemplatesReady(
  service: Service,
  pool: Pick<TemplatePool, 'keepWarm'> = poolOf(service),
): Promise<void> {
  const update = async () => {
    try {
      pool.keepWarm(await hasTemplates(service))
    } catch {
      // The database is unreachable. The first rendering starts an interpreter if none runs by then.
    }
  }
  service.cache.log.watch(TEMPLATE_MODELS, () => void update())
  await update()
}

async function hasTemplates({ registry, database }: Service): Promise<boolean> {
  const exist = TEMPLATE_MODELS.map(
    (name) => sql`exists (select from ${table(registry.model(name))})`,
  )
  const [row] = await database.query<{ found: boolean }>(
    sql`select ${join(exist, ' or ')} as found`,
  )
  return row?.found ?? false
}

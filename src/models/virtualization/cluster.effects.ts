import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { cluster } from './cluster.ts'

/** Copies the site of a cluster, if it has one, to its virtual machines. */
export const passOnClusterSite: EffectFunction<typeof cluster.fields> = async ({
  action,
  rows,
  database,
}) => {
  const ids = rows.flatMap(({ next }) => (next && next._site !== null ? [next.id] : []))
  if (action !== 'update' || ids.length === 0) return
  await database.execute(sql`
    ${updateTable('virtualization.virtualmachine')} m set site_id = c._site_id
    from ${table('virtualization.cluster')} c
    where c.id = m.cluster_id and c.id = any(${ids}::bigint[])
      and m.site_id is distinct from c._site_id`)
}

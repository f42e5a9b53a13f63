import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { device } from '../dcim/device.ts'
import { fillScopePlaces, scopePlaces, scopeTypeNeedsObject } from '../dcim/scope.ts'
import { cluster } from './cluster.ts'

/** Copies the site of a cluster, if it has one, to its virtual machines. */
const passOnClusterSite: EffectFunction<typeof cluster.fields> = async ({
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

type ClusterRule = Rule<typeof cluster.fields>

/** Checks that hosts are within the cluster's scope. NetBox 4.6.8 virtualization/models/clusters.py. */
const hostsAreInScope: ClusterRule = async ({ next, previous, read }) => {
  if (!previous) return
  const { _site: site, _location: location } = await scopePlaces(
    read,
    next.scope_type,
    next.scope_id,
  )
  if (site === null) return
  const hosts = await read.all(device, { cluster: next.id })
  const strangers = hosts.filter(
    (host) => host.site !== site || (location !== null && host.location !== location),
  )
  return strangers.length > 0
    ? { scope: `Hosts of the cluster stand elsewhere: ${strangers.length}.` }
    : undefined
}

/** The site is derived from the scope when the cluster is saved, too late for the usual check. */
const nameIsFreeInSite: ClusterRule = async ({ next, read }) => {
  const { _site: site } = await scopePlaces(read, next.scope_type, next.scope_id)
  if (site === null) return
  const duplicate = await read.find(cluster, { _site: site, name: next.name }, { not: next.id })
  if (!duplicate) return
  return {
    __all__: (await read.shows(cluster, duplicate.id))
      ? 'A cluster with this name exists in the site already.'
      : 'These values cannot be used together.',
  }
}

export const clusterBehaviour = behaviour(cluster, {
  serializerRules: [scopeTypeNeedsObject],
  modelRules: [hostsAreInScope, nameIsFreeInSite],
  beforeSave: [fillScopePlaces],
  afterWrite: [passOnClusterSite],
})

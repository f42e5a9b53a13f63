import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { device } from '../dcim/device.ts'
import { fillScopePlaces, placesOf } from '../dcim/scope.rules.ts'
import { scopeTypeNeedsObject } from '../dcim/scope-type.rules.ts'
import { cluster } from './cluster.ts'
import { virtualMachine } from './virtual-machine.ts'

type ClusterRule = Rule<typeof cluster.fields>

/** Hosts stand where the cluster is. NetBox 4.6.8 virtualization/models/clusters.py. */
const hostsAreInScope: ClusterRule = async ({ next, previous, read }) => {
  if (!previous) return
  const { _site: site, _location: location } = await placesOf(read, next.scope_type, next.scope_id)
  if (site === null) return
  const hosts = await read.all(device, { cluster: next.id })
  const strangers = hosts.filter(
    (host) => host.site !== site || (location !== null && host.location !== location),
  )
  return strangers.length > 0
    ? { scope: `Hosts of the cluster stand elsewhere: ${strangers.length}.` }
    : undefined
}

/** The site follows from the scope only when the cluster is saved, too late for the usual check. */
const nameIsFreeInSite: ClusterRule = async ({ next, read }) => {
  const { _site: site } = await placesOf(read, next.scope_type, next.scope_id)
  if (site === null) return
  const twin = await read.find(cluster, { _site: site, name: next.name }, { not: next.id })
  if (!twin) return
  return {
    __all__: (await read.shows(cluster, twin.id))
      ? 'A cluster with this name exists in the site already.'
      : 'These values cannot be used together.',
  }
}

/** Virtual machines are in the site of their cluster, if it has one. */
const passOnSite: EffectFunction<typeof cluster.fields> = async ({
  action,
  rows,
  database,
  touch,
}) => {
  const ids = rows.flatMap(({ next }) => (next && next._site !== null ? [next.id] : []))
  if (action !== 'update' || ids.length === 0) return
  await database.execute(sql`
    update virtualization_virtualmachine m set site_id = c._site_id
    from virtualization_cluster c
    where c.id = m.cluster_id and c.id = any(${ids}::bigint[])
      and m.site_id is distinct from c._site_id`)
  touch(virtualMachine)
}

export const clusterBehaviour = behaviour(cluster, {
  serializerRules: [scopeTypeNeedsObject],
  modelRules: [hostsAreInScope, nameIsFreeInSite],
  beforeSave: [fillScopePlaces],
  afterWrite: [passOnSite],
})

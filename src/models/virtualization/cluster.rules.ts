import { behaviour, type Rule } from '../../schema/rule.ts'
import { device } from '../dcim/device.ts'
import { fillScopePlaces, scopePlaces } from '../dcim/scope.rules.ts'
import { scopeTypeNeedsObject } from '../dcim/scope-type.rules.ts'
import { passOnClusterSite } from './cluster.effects.ts'
import { cluster } from './cluster.ts'

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

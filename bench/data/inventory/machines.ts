import type { Batch } from './batch.ts'
import type { Plan } from './plan.ts'

/** Clusters of virtual machines, one machine per ten devices. */
export function* machines(plan: Plan): Generator<Batch> {
  const count = Math.ceil(plan.sizes.devices / 10)
  const clusters = Math.max(1, Math.ceil(plan.sites / 10))
  yield plan.batch('virtualization.clustertype', 1, (_, id) => ({
    name: `Hypervisor ${id}`,
    slug: `hypervisor-${id}`,
  }))
  yield plan.batch('virtualization.cluster', clusters, (index, id) => ({
    name: `Cluster ${id}`,
    type: plan.id('virtualization.clustertype', 0),
    status: 'active',
    scope_type: 'dcim.site',
    scope_id: plan.id('dcim.site', index),
  }))
  yield plan.batch('virtualization.virtualmachine', count, (index, id) => ({
    name: `vm-${id}`,
    status: 'active',
    cluster: plan.id('virtualization.cluster', index % clusters),
    site: plan.id('dcim.site', index % clusters),
    tenant: plan.any('tenancy.tenant', plan.tenants),
    vcpus: String(1 + plan.random.below(16)),
    memory: 1024 * (1 + plan.random.below(64)),
  }))
  yield plan.batch('virtualization.vminterface', count, (index) => ({
    virtual_machine: plan.id('virtualization.virtualmachine', index),
    name: 'eth0',
  }))
}

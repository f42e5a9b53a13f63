from orm import publish as _publish

_publish(
    __name__,
    clusters="Cluster ClusterGroup ClusterType",
    virtualmachines="VMInterface VirtualDisk VirtualMachine VirtualMachineType",
)

from orm import publish as _publish

_publish(
    __name__,
    circuits="Circuit CircuitGroup CircuitGroupAssignment CircuitTermination CircuitType",
    providers="Provider ProviderAccount ProviderNetwork",
    virtual_circuits="VirtualCircuit VirtualCircuitTermination VirtualCircuitType",
)

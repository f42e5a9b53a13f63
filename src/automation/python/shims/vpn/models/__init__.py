from orm import publish as _publish

_publish(
    __name__,
    crypto="IKEPolicy IKEProposal IPSecPolicy IPSecProfile IPSecProposal",
    l2vpn="L2VPN L2VPNTermination",
    tunnels="Tunnel TunnelGroup TunnelTermination",
)

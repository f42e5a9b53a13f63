from orm import publish as _publish

_publish(
    __name__,
    asns="ASN ASNRange",
    fhrp="FHRPGroup FHRPGroupAssignment",
    ip="Aggregate IPAddress IPRange Prefix RIR Role",
    services="Service ServiceTemplate",
    vlans="VLAN VLANGroup VLANTranslationPolicy VLANTranslationRule",
    vrfs="RouteTarget VRF",
)

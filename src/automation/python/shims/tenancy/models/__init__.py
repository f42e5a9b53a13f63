from orm import publish as _publish

_publish(
    __name__,
    contacts="Contact ContactAssignment ContactGroup ContactRole",
    tenants="Tenant TenantGroup",
)

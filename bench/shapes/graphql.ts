import type { ReadShape } from './shape.ts'

/** A query in the address. Lists have as many objects as they name, also where the data set has more. */
const graphql = (name: string, text: string): ReadShape => ({
  name: `GraphQL: ${name}`,
  path: () => `/graphql/?${new URLSearchParams({ query: text })}`,
})

/** Queries as inventories, dashboards and scripts send them. */
export const GRAPHQL: readonly ReadShape[] = [
  graphql(
    '1,702 interfaces, id and display',
    '{interface_list(pagination:{limit:1702}){id display}}',
  ),
  graphql(
    '50 devices with interfaces and addresses',
    '{device_list(pagination:{limit:50}){id name interfaces{id name ip_addresses{id address}}}}',
  ),
  graphql(
    '27,000 addresses with assigned objects and tags',
    '{ip_address_list(pagination:{limit:27000}){id address tags{name} assigned_object{__typename ... on InterfaceType{name device{name}}}}}',
  ),
  graphql(
    '50 devices as an inventory',
    '{device_list(pagination:{limit:50}){id name status custom_fields site{name region{name}} role{slug} platform{slug} device_type{model manufacturer{name}} primary_ip4{address} tags{slug}}}',
  ),
  graphql(
    '50 sites, five levels deep',
    '{site_list(pagination:{limit:50}){name devices(pagination:{limit:5}){name interfaces(pagination:{limit:5}){name ip_addresses{address vrf{name}}}}}}',
  ),
  graphql(
    '50 cables with both ends',
    '{cable_list(pagination:{limit:50}){id a_terminations{__typename ... on InterfaceType{name device{name}}} b_terminations{__typename ... on InterfaceType{name device{name}}}}}',
  ),
  graphql(
    '50 interfaces, filtered through relations',
    '{interface_list(filters:{device:{site:{status:{exact:STATUS_ACTIVE}}},name:{i_contains:"e"}},pagination:{limit:50}){id name}}',
  ),
  graphql(
    '50 sites with their numbers of changes',
    '{site_list(pagination:{limit:50}){name changelog{id action time}}site_count(filters:{status:{exact:STATUS_ACTIVE}})}',
  ),
]

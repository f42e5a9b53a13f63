import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A query for the ids (`id`) of the users of a notification group and of the users in its groups, each once. */
export function usersOfNotificationGroup(service: Pick<Service, 'registry'>, group: number): Sql {
  const users = joinOf(service, SYSTEM.notificationGroup, 'users')
  const groups = joinOf(service, SYSTEM.notificationGroup, 'groups')
  const memberships = joinOf(service, SYSTEM.user, 'groups')
  return sql`
    select ${users.other} as id from ${users.table} where ${users.own} = ${group}::bigint
    union
    select ${memberships.own} from ${memberships.table}
    where ${memberships.other} in (
      select ${groups.other} from ${groups.table} where ${groups.own} = ${group}::bigint)`
}

function joinOf({ registry }: Pick<Service, 'registry'>, owner: string, name: string) {
  const of = registry.model(owner)
  const field = of.fields.get(name)
  if (field?.kind !== 'manyToMany') throw new Error(`${owner} has no list ${name}`)
  const relation = registry.joinTable(of, name, field)
  return {
    table: table(relation),
    own: identifier(relation.ownColumn),
    other: identifier(relation.otherColumn),
  }
}

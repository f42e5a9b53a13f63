/** Zone files on the command line, and records that expire. */
import { randomUUID } from 'node:crypto'
import { ConfigurationError, type PackCommand, type PackJob, sql, table, writeAs } from 'cadastre'
import { textOfZone } from './actions.ts'
import { RECORD, VIEW, ZONE } from './derive.ts'

/** Records that one run changes; the next one goes on. */
const MOST_EXPIRING = 10_000

/** `zone <name> [<view>]`: prints the zone as a zone file. */
export const printZone: PackCommand['run'] = async ({ service: { database }, words, print }) => {
  const [name = '', view] = words
  const zones = await database.query<{ id: number; name: string; default_ttl: number; view: string }>(sql`
    select t.id, t.name, coalesce(t.default_ttl, 86400) as default_ttl, v.name as view
    from ${table(ZONE)} t join ${table(VIEW)} v on v.id = t.view_id
    where lower(t.name) = lower(${name.replace(/\.$/, '')}) and ${view === undefined ? sql`true` : sql`v.name = ${view}`}
    order by v.name`)
  const [zone, other] = zones
  if (!zone)
    throw new ConfigurationError(`There is no zone "${name}"${view === undefined ? '' : ` in the view "${view}"`}.`)
  if (other) {
    const views = zones.map(({ view }) => view).join(', ')
    throw new ConfigurationError(`The zone "${name}" is in several views. Name one of them: ${views}.`)
  }
  print((await textOfZone(database, zone, sql``)).trimEnd())
}

/** Sets the status of active records whose date has passed. */
export const expireRecords: PackJob['run'] = async ({ service, actor, log }) => {
  const today = new Date(service.clock.now()).toISOString().slice(0, 10)
  const ids = await service.database.queryColumn(sql`
    select t.id from ${table(RECORD)} t
    where t.status = 'active' and not t.managed and t.expiration_date <= ${today}::date order by t.id limit ${MOST_EXPIRING}::int`)
  await writeAs(service, { actor, requestId: randomUUID() }, (write) =>
    write.update(
      RECORD,
      ids.map((id) => ({ id: Number(id), body: { status: 'expired' } })),
    ),
  )
  log.info(ids.length === 1 ? '1 record has expired.' : `${ids.length} records have expired.`)
}

import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { choiceLabel } from '../components/value.ts'
import { type Content, type Html, html } from '../html.ts'
import { feedLoads } from '../racks/rack-loads.ts'
import { usedUnits } from '../racks/used-units.ts'
import { numeral, type Text, translate, translateLabel } from '../texts/translate.ts'

/** A bar of a chart, which links to the counted objects. */
interface Bar {
  readonly label: string
  /** Query of the list, or path below it. */
  readonly to: string
  /** Length, from 0 to 1. */
  readonly share: number
  readonly text: string
  /** Hue of a state, or six hexadecimal digits. */
  readonly hue?: string | undefined
}

/** A chart of the inventory, drawn by the service. */
export interface Chart {
  readonly label: Text
  /** The list that the bars link to. */
  readonly model: string
  /** Other models that name the bars. Only users who may view all of the models see the chart. */
  readonly names?: readonly string[]
  /** Nothing if there is nothing to count. */
  readonly content: (request: ApiRequest, page: string) => Promise<Content>
}

const MOST_BARS = 8
/** Days within which a circuit ends soon. */
const SOON = 365

/**
 * Rows of a statement that counts only objects visible to the viewer, except in its sums. They are cached until one of
 * the tables changes.
 */
async function rowsOf(
  { service, actor }: ApiRequest,
  statement: Sql,
  sums?: Readonly<Record<string, Sql>>,
): Promise<readonly (readonly unknown[])[]> {
  const security = rowSecurityOf(actor, service.registry, service.settings)
  return await cachedResult(service, applyRowSecurity(security, statement, sums))
}

/** Bars with their numbers, as a table, so that screen readers can read it; nothing without bars. */
const barTable = (page: string, bars: readonly Bar[]): Content =>
  bars.length > 0 &&
  html`<table class="bars"><tbody>${bars.map(
    ({ label, to, share, text, hue }) =>
      html`<tr><th scope="row"><a href="${page}${to}"><bdi>${label}</bdi></a></th><td aria-hidden="true">${barOf(share, hue)}</td><td class="num">${text}</td></tr>`,
  )}</tbody></table>`

function barOf(share: number, hue: string | undefined): Html {
  const width = Math.min(Math.max(share * 100, share > 0 ? 1 : 0), 100).toFixed(1)
  const isColor = hue !== undefined && /^[0-9a-f]{6}$/i.test(hue)
  return html`<svg class="bar ${!isColor && hue}" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="whole" width="100" height="8"/><rect class="part" width="${width}" height="8"${isColor && html` fill="#${hue}"`}/></svg>`
}

/** Counts as bars in relation to the largest. */
function countBars(
  rows: readonly (readonly unknown[])[],
  barFor: (row: readonly unknown[]) => Pick<Bar, 'label' | 'to' | 'hue'>,
): readonly Bar[] {
  const largest = Math.max(1, ...rows.map((row) => Number(row.at(-1))))
  return rows.slice(0, MOST_BARS).map((row) => {
    const count = Number(row.at(-1))
    return { ...barFor(row), share: count / largest, text: numeral(count) }
  })
}

/** Shares of a whole as bars, in a warning colour if little is left. */
const levelOf = (share: number): string => (share >= 0.9 ? 'red' : share >= 0.7 ? 'orange' : 'teal')

const percentOf = (share: number): string => `${Math.round(share * 100)} %`

const DAYS = 30

/** Bars of the last days, from left to right; nothing without changes. */
function dayChart(page: string, counts: ReadonlyMap<string, number>): Content {
  if (counts.size === 0) return undefined
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.now() - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
  const largest = Math.max(1, ...days.map((day) => counts.get(day) ?? 0))
  const bars = days.map((day, index) => {
    const count = counts.get(day) ?? 0
    const height = count === 0 ? 1 : Math.max(3, (count / largest) * 96)
    const query = `time_after=${day}T00:00:00&time_before=${day}T23:59:59`
    const label = `${day}: ${numeral(count)}`
    return html`<a href="${page}?${query}" aria-label="${label}"><rect x="${index * 10 + 1}" y="${(98 - height).toFixed(1)}" width="8" height="${height.toFixed(1)}" rx="1"${count === 0 && html` class="none"`}><title>${label}</title></rect></a>`
  })
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return html`<svg class="days" viewBox="0 0 ${DAYS * 10} 100" preserveAspectRatio="none" role="group" aria-label="${translate('Changes per day')}">${bars}</svg>
<p class="days-legend muted"><span>${days[0]}</span><span>${translate('{count} change|{count} changes', { count: total })}</span><span>${days.at(-1)}</span></p>`
}

/** The charts by their names in a widget's options. */
export const CHARTS: Readonly<Record<string, Chart>> = {
  'device-status': {
    label: 'Devices by status',
    model: 'dcim.device',
    content: async (request, page) => {
      const field = request.service.registry.model('dcim.device').fields.get('status')
      const list = field && 'choices' in field ? field.choices?.list : undefined
      const rows = await rowsOf(
        request,
        sql`select t.status, count(*) from ${table('dcim.device')} t group by 1 order by 2 desc, 1`,
      )
      return barTable(
        page,
        countBars(rows, ([status]) => ({
          label: translateLabel(choiceLabel(field, String(status)) ?? String(status)),
          to: `?status=${status}`,
          hue: list?.find(({ value }) => value === status)?.colour,
        })),
      )
    },
  },
  'device-role': {
    label: 'Devices by role',
    model: 'dcim.device',
    names: ['dcim.devicerole'],
    content: async (request, page) => {
      const rows = await rowsOf(
        request,
        sql`select t.id, t.name, t.color, count(*) from ${table('dcim.devicerole')} t
          join ${table('dcim.device')} d on d.role_id = t.id group by 1, 2, 3 order by 4 desc, 2`,
      )
      return barTable(
        page,
        countBars(rows, ([id, name, color]) => ({ label: String(name), to: `?role_id=${id}`, hue: String(color) })),
      )
    },
  },
  'rack-space': {
    label: 'Rack space by site',
    model: 'dcim.rack',
    names: ['dcim.site'],
    content: async (request, page) => {
      const rows = await rowsOf(
        request,
        sql`select s.id, s.name, sum(t.u_height)::float8, coalesce(sum(used.units), 0)::float8
          from ${table('dcim.rack')} t join ${table('dcim.site')} s on s.id = t.site_id
          left join used on used.rack_id = t.id group by 1, 2`,
        { used: usedUnits(sql`true`) },
      )
      const sites = rows.map(([id, name, units, used]) => ({
        id,
        name: String(name),
        units: Number(units),
        used: Number(used),
      }))
      const fullest = sites.toSorted((a, b) => b.used / b.units - a.used / a.units).slice(0, MOST_BARS)
      return barTable(
        page,
        fullest.map(({ id, name, units, used }) => ({
          label: name,
          to: `?site_id=${id}`,
          share: used / units,
          text: percentOf(used / units),
          hue: levelOf(used / units),
        })),
      )
    },
  },
  changes: {
    label: 'Changes per day',
    model: SYSTEM.objectChange,
    content: async (request, page) => {
      const rows = await rowsOf(
        request,
        sql`select to_char(t.time at time zone 'UTC', 'YYYY-MM-DD'), count(*) from ${table(SYSTEM.objectChange)} t
          where t.time > ${new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10)}::timestamptz group by 1`,
      )
      return dayChart(page, new Map(rows.map(([day, count]) => [String(day), Number(count)])))
    },
  },
  'circuit-ends': {
    label: 'Circuits that end soon',
    model: 'circuits.circuit',
    content: async (request, page) => {
      const rows = await rowsOf(
        request,
        sql`select t.id, t.cid, p.name, t.termination_date::text, (t.termination_date - current_date)::int
          from ${table('circuits.circuit')} t left join ${table('circuits.provider')} p on p.id = t.provider_id
          where t.termination_date between current_date and current_date + ${SOON}::int
          order by t.termination_date limit ${MOST_BARS}`,
      )
      return barTable(
        page,
        rows.map(([id, cid, provider, , days]) => ({
          label: [cid, provider].filter((name) => name !== null).join(' · '),
          to: `${id}/`,
          share: 1 - Number(days) / SOON,
          text: translate('{count} day|{count} days', { count: Number(days) }),
          hue: Number(days) < 30 ? 'red' : Number(days) < 90 ? 'orange' : 'teal',
        })),
      )
    },
  },
  feeds: {
    label: 'Power feeds by load',
    model: 'dcim.powerfeed',
    content: async (request, page) => {
      const loads = await feedLoads(request)
      const fullest = loads
        .filter(({ power, allocated }) => power > 0 && allocated > 0)
        .toSorted((a, b) => b.allocated / b.power - a.allocated / a.power)
        .slice(0, MOST_BARS)
      return barTable(
        page,
        fullest.map(({ id, name, power, allocated }) => ({
          label: name,
          to: `${id}/`,
          share: allocated / power,
          text: translate('{used} of {all} W', { used: allocated, all: power }),
          hue: levelOf(allocated / power),
        })),
      )
    },
  },
  failures: {
    label: 'Failed in the last week',
    model: SYSTEM.job,
    content: async (request, page) => {
      const since = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
      const { registry, settings } = request.service
      const deliveries = registry.model(SYSTEM.webhookDelivery)
      const hasDeliveries = mayAct(request.actor, 'view', deliveries, settings)
      const failedJobs = sql`select count(*) from ${table(SYSTEM.job)} t
        where t.status in ('failed', 'errored') and t.created > ${since}::timestamptz`
      const failedDeliveries = sql`select count(*) from ${table(deliveries)} t
        where t.status = 'dead' and t.created > ${since}::timestamptz`
      const [[jobs], [sent]] = await Promise.all([
        rowsOf(request, failedJobs),
        hasDeliveries ? rowsOf(request, failedDeliveries) : [],
      ])
      if (Number(jobs?.[0] ?? 0) + Number(sent?.[0] ?? 0) === 0) return undefined
      const tile = (href: string, count: unknown, label: string): Html =>
        html`<a class="tile${Number(count) > 0 && ' bad'}" href="${href}"><strong>${numeral(Number(count ?? 0))}</strong> ${label}</a>`
      return html`<div class="tiles">${tile(`${page}?status=failed&status=errored`, jobs?.[0], translate('Jobs'))}${hasDeliveries && tile(`${settings.basePath}${pagePathOf(deliveries)}?status=dead`, sent?.[0], translate('Deliveries'))}</div>`
    },
  },
}

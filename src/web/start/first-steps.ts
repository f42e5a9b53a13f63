import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { mainOf, type Service } from '../../service.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** Addresses of the first steps, below the base path. */
export const NETBOX_IMPORT = '/start/netbox/'
export const SAMPLE = '/start/sample/'
export const TUTORIAL = '/start/tutorial/'

/** One of these exists as soon as somebody has begun. */
const BEGINNINGS = [
  'dcim.site',
  'dcim.device',
  'ipam.prefix',
  'ipam.ipaddress',
  'ipam.vlan',
  'virtualization.virtualmachine',
  'circuits.circuit',
  'tenancy.tenant',
]

async function isEmpty({ database }: Service): Promise<boolean> {
  const tables = BEGINNINGS.map((name) => sql`exists (select from ${table(name)})`)
  const [row] = await database.queryArrays(sql`select ${join(tables, ' or ')}`)
  return row?.[0] === false
}

/** What a user can do with an empty database; undefined if there is something in it. */
export async function firstSteps(request: ApiRequest): Promise<Html | undefined> {
  const { actor, service, csrfToken } = request
  const { settings } = service
  const { basePath } = settings
  if (actor.kind !== 'user' || !(await isEmpty(mainOf(service)))) return undefined
  const mayAdd = mayAct(actor, 'add', service.registry.model('dcim.site'), settings)
  const link = (path: string, label: string): Html =>
    html`<a class="button quiet" href="${basePath}${path}">${label}</a>`
  const steps: readonly (readonly [isOffered: boolean, title: string, about: string, action: Content])[] = [
    [
      mayAdd,
      translate('Add a site'),
      translateLabel(service.registry.model('dcim.site').definition.about ?? ''),
      link('/dcim/sites/add/', translate('Add site')),
    ],
    [
      actor.isSuperuser,
      translate('Move from NetBox'),
      translate('Everything that a running NetBox shows to a superuser’s token, with its ids and its change log.'),
      link(NETBOX_IMPORT, translate('Import from NetBox')),
    ],
    [
      mayAdd,
      translate('Import a spreadsheet'),
      translate('Paste rows, or upload CSV, JSON or YAML. Begin with sites; every list has an import.'),
      link('/dcim/sites/import/', translate('Import sites')),
    ],
    [
      actor.isSuperuser,
      translate('Look around first'),
      translate('A small network of an imagined trust, to try things on. It can be undone only by starting over.'),
      html`<form method="post" action="${basePath}${SAMPLE}">${csrfField(csrfToken)}<button class="quiet">${translate('Load the sample network')}</button></form>`,
    ],
    [
      true,
      translate('Tutorial'),
      translate('A new site in a quarter of an hour: rack, devices, cable, prefix and address.'),
      link(TUTORIAL, translate('Open the tutorial')),
    ],
  ]
  return html`<section aria-labelledby="first-steps"><h2 id="first-steps">${translate('Start here')}</h2><ul class="first-steps">${steps.map(
    ([isOffered, title, about, action]) =>
      isOffered && html`<li class="card"><h3>${title}</h3><p>${about}</p>${action}</li>`,
  )}</ul></section>`
}

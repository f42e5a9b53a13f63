import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import { words } from '../../schema/view.ts'
import { icon } from '../components/icon.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { GUIDE_PATHS, guideAddress, guideAt } from './documents.ts'

/** The document about a subject, with its section, and the models to which it belongs. */
const SUBJECTS: readonly (readonly [target: string, models: readonly string[]])[] = [
  ['start/inventory.md#places', words('dcim.region dcim.sitegroup dcim.site dcim.location dcim.rack tenancy.tenant')],
  [
    'start/inventory.md#types-and-what-they-create',
    words(
      'dcim.manufacturer dcim.devicetype dcim.moduletype dcim.device dcim.module dcim.modulebay dcim.virtualchassis',
    ),
  ],
  [
    'start/inventory.md#cables-and-panels',
    words('dcim.cable dcim.interface dcim.frontport dcim.rearport dcim.powerport dcim.poweroutlet dcim.consoleport'),
  ],
  [
    'start/inventory.md#addresses',
    words('ipam.prefix ipam.ipaddress ipam.iprange ipam.vlan ipam.vlangroup ipam.vrf dcim.macaddress'),
  ],
  ['start/inventory.md#config-contexts', words('extras.configcontext')],
  ['start/inventory.md#config-templates', words('extras.configtemplate')],
  [
    'start/inventory.md#custom-fields-tags-and-choice-sets',
    words('extras.customfield extras.customfieldchoiceset extras.tag'),
  ],
  ['use/pages.md#custom-links', words('extras.customlink')],
  ['use/pages.md#lists', words('extras.savedfilter extras.savedview extras.tableconfig')],
  ['use/import-export.md#export', words('extras.exporttemplate')],
  ['use/own-models.md', words('custom_objects.customobjecttype custom_objects.customobjecttypefield')],
  ['use/computed-fields.md', words('extras.computedfield')],
  ['use/computed-fields.md#dynamic-groups', words('extras.dynamicgroup')],
  ['use/events.md#rules', words('extras.eventrule')],
  ['use/events.md#requests', words('extras.webhook')],
  ['use/branches.md', words('core.branch')],
  ['use/branches.md#change-requests', words('core.changerequest core.changepolicy')],
  ['operate/permissions.md', words('users.objectpermission users.group users.user')],
  ['operate/sign-in.md#groups', words('users.groupmapping')],
  ['use/rest-api.md#tokens', words('users.token')],
]

const TARGETS: ReadonlyMap<string, string> = new Map(
  SUBJECTS.flatMap(([target, models]) => models.map((model) => [model, target] as const)),
)

/** The guide to importing, for all imports. */
export const IMPORT_GUIDE = 'use/import-export.md'

/** A link beside the title of a form to the guide about its subject; nothing if there is none. */
export const guideOfModel = (request: ApiRequest, { name }: Model): Content => {
  const target = TARGETS.get(name)
  return target !== undefined && guideLink(request, target)
}

/** A link to a document, or to a section of it; nothing if it is missing. */
export function guideLink({ service }: ApiRequest, target: string): Content {
  const [path = '', anchor] = target.split('#')
  if (!GUIDE_PATHS.includes(path)) return undefined
  const label = translate('Guide: {title}', { title: guideAt(path).title })
  return html`<a class="icon-button guide-link" href="${service.settings.basePath}${guideAddress(path)}${anchor === undefined ? '' : `#${anchor}`}" aria-label="${label}" title="${label}">${icon('help')}</a>`
}

/** All targets, for the test that they exist. */
export const GUIDE_TARGETS: readonly string[] = [...new Set(TARGETS.values()), IMPORT_GUIDE]

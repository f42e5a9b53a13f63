import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { type ProviderConfig, providersOf } from '../../config/auth-providers.ts'
import { type GroupRule, groupRules } from '../../identity/group-mapping.ts'
import {
  causesOf,
  type LoginPreview,
  previewLogin,
  readsGroups,
  type UnusedGroup,
} from '../../identity/login-preview.ts'
import { type ProviderTest, testProvider } from '../../identity/test-provider.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { controlField } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { panel } from '../components/panel.ts'
import { textIn } from '../forms/form-texts.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { translate } from '../texts/translate.ts'
import { requireSuperuser } from './require-superuser.ts'

const TITLE = 'Sign-in'
const PATH = '/users/sign-in/'
/** Maximum number of groups in a preview: more than anyone would type. */
const MOST_GROUPS = 1_000

/**
 * GET of the login providers, the group mappings of the configuration and the database, and a preview of the result for
 * a person with some groups of a provider; POST tests the connection to a provider. For superusers.
 */
export async function signInPage(request: ApiRequest): Promise<PageResponse> {
  requireSuperuser(request)
  const { search, service } = request
  const provider = lastValue(search, 'provider')
  const text = lastValue(search, 'groups') ?? ''
  const names = text.split(/\r?\n/).flatMap((line) => line.trim() || [])
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const tested = form && textIn(form, TESTED)
  const result = tested === undefined ? undefined : await testProvider(service.settings, tested)
  let refusal: string | undefined
  let preview: LoginPreview | undefined
  if (provider !== undefined) {
    try {
      preview = await previewLogin(service, provider, names.slice(0, MOST_GROUPS))
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      refusal = sentenceOf(error)
    }
  }
  return {
    title: translate(TITLE),
    status: refusal === undefined ? 200 : 400,
    styles: ['inputs.css', 'objects.css', 'object.css'],
    scripts: ['object.client.ts', 'edit-form.client.ts'],
    breadcrumbs: [{ label: translate(TITLE), path: PATH }],
    body: html`<div class="heading"><h1>${translate(TITLE)}</h1></div>
${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
${tested !== undefined && result && testNotice(tested, result)}
${providersPanel(request)}
${await mappingPanel(request)}
${previewForm(request, provider, text)}
${preview && previewPanels(request, preview, await causesOf(service, preview))}`,
  }
}

/** Field of the form that tests the connection to a provider: its name. */
const TESTED = 'test'

/** The result of a test in a sentence, with its causes. */
function testNotice(name: string, { isTested, failures }: ProviderTest): Content {
  if (!isTested) {
    return html`<p class="notice" role="status">${translate('{name} needs no connection from here: it connects to this service itself.', { name })}</p>`
  }
  if (failures.length === 0) {
    return html`<p class="notice good" role="status">${translate('{name} works: it responds, and accepts what the configuration says.', { name })}</p>`
  }
  return html`<div class="notice bad" role="alert"><p>${translate('{name} does not work:', { name })}</p><ul>${failures.map((failure) => html`<li>${failure}</li>`)}</ul></div>`
}

const KINDS: Readonly<Record<ProviderConfig['type'], string>> = {
  oidc: 'OpenID Connect',
  saml: 'SAML',
  ldap: 'LDAP',
  'active-directory': 'Active Directory',
  header: 'HTTP header',
  scim: 'SCIM',
}

/** The servers of a provider, or where it is expected to connect from. */
function serversOf(config: ProviderConfig): readonly string[] {
  switch (config.type) {
    case 'oidc':
      return [config.issuer]
    case 'saml':
      return [config.sso_url]
    case 'header':
      return [config.header]
    case 'scim':
      return ['/scim/v2']
    default:
      return config.urls
  }
}

/** The configured providers with their servers, each with a test of its connection. */
function providersPanel({ service, csrfToken, url }: ApiRequest): Content {
  const providers = providersOf(service.settings)
  if (providers.length === 0) {
    return panel(
      translate('Login providers'),
      html`<p>${translate('People log in with local accounts. To let them use the accounts of your organisation, set AUTH_PROVIDERS in the environment of the service and restart it; cadastre doctor checks it. Two examples:')}</p>
${EXAMPLES.map((example) => codeBlock(`AUTH_PROVIDERS='${JSON.stringify([example])}'`))}`,
    )
  }
  return panel(
    translate('Login providers'),
    html`<form method="post" action="${url.pathname}">${csrfField(csrfToken)}<div class="scroll" tabindex="0" role="region" aria-label="${translate('Login providers')}"><table><thead><tr><th scope="col">${translate('Provider')}</th><th scope="col">${translate('Kind')}</th><th scope="col">${translate('Servers')}</th><th scope="col"><span class="visually-hidden">${translate('Actions')}</span></th></tr></thead><tbody>${providers.map(
      (config) =>
        html`<tr><td>${config.name}</td><td>${KINDS[config.type]}</td><td>${serversOf(config).map((server) => html`<code>${server}</code> `)}</td><td><button class="quiet small" name="${TESTED}" value="${config.name}">${translate('Test connection')}</button></td></tr>`,
    )}</tbody></table></div></form>`,
  )
}

/** Providers as they may stand in AUTH_PROVIDERS. */
const EXAMPLES = [
  {
    ...{ type: 'oidc', name: 'sso', label: 'Single sign-on', issuer: 'https://id.example.com/realms/network' },
    ...{ client_id: 'cadastre', client_secret: '<secret>', groups_claim: 'groups', groups: { NetOps: 'operators' } },
  },
  {
    ...{ type: 'ldap', name: 'directory', urls: ['ldaps://ldap.example.com'] },
    ...{ bind_dn: 'cn=cadastre,dc=example,dc=com', bind_password: '<secret>' },
    ...{ user_base: 'ou=people,dc=example,dc=com', group_base: 'ou=groups,dc=example,dc=com' },
    groups: { NetOps: 'operators' },
  },
]

const pageOf = ({ service }: ApiRequest, model: string): string =>
  `${service.settings.basePath}${pagePathOf(service.registry.model(model)) ?? '/'}`

async function mappingPanel(request: ApiRequest): Promise<Content> {
  const { database, settings } = request.service
  const providers = providersOf(settings)
  const mappings = await Promise.all(
    providers.map(async (config) => ({ config, rules: await groupRules(database, config) })),
  )
  const names = mappings.flatMap(({ rules }) => rules.flatMap(({ group }) => group ?? []))
  const groups = await database.query<{ name: string }>(sql`
    select name from ${table(SYSTEM.group)} where name = any(${names}::text[])`)
  const existing = new Set(groups.map(({ name }) => name))
  const unconfigured = await database.query<{ provider: string }>(sql`
    select distinct provider from ${table(SYSTEM.groupMapping)}
    where provider <> all(${providers.map(({ name }) => name)}::text[]) order by provider`)
  const list = pageOf(request, SYSTEM.groupMapping)
  const rows = mappings.flatMap(({ config, rules }) =>
    rules.map(
      (rule) =>
        html`<tr><td>${config.name}</td><td>${rule.providerGroup}</td><td>${effectOf(rule)}${rule.group !== undefined && !existing.has(rule.group) && html` <span class="muted">${config.create_groups ? translate('(will be created)') : missingGroup(request, rule.group)}</span>`}</td><td>${rule.id === undefined ? translate('Configuration') : html`<a href="${list}${rule.id}/">${translate('Database')}</a>`}</td></tr>`,
    ),
  )
  return panel(
    translate('Group mapping'),
    html`<p class="muted">${translate('Mappings are applied at each login. Those in the configuration can be changed only in AUTH_PROVIDERS.')}</p>
${mappings.map(({ config, rules }) => noteOn(config, rules))}
${unconfigured.map(({ provider }) => html`<p class="notice warn">${translate('There are mappings for the provider {name}, which is not configured, so they have no effect.', { name: provider })}</p>`)}
${
  rows.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Group mapping')}"><table><thead><tr><th scope="col">${translate('Provider')}</th><th scope="col">${translate('Group at the provider')}</th><th scope="col">${translate('Members become')}</th><th scope="col">${translate('From')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
<p class="buttons"><a class="button" href="${list}add/">${translate('Add a mapping')}</a> <a class="button quiet" href="${list}">${translate('Mappings in the database')}</a></p>`,
  )
}

/** A local group that does not exist, with a link to create it. */
const missingGroup = (request: ApiRequest, name: string): Content =>
  html`${translate('There is no group {name} here.', { name })} <a href="${pageOf(request, SYSTEM.group)}add/?${new URLSearchParams({ name }).toString()}">${translate('Create it')}</a>`

/** Why a group of the provider has no effect. */
function causeOf(request: ApiRequest, provider: string, { name, missing }: UnusedGroup): Content {
  if (missing.length > 0) {
    return missing.map(
      (group) => html`<li><bdi>${name}</bdi> → <bdi>${group}</bdi>: ${missingGroup(request, group)}</li>`,
    )
  }
  const query = new URLSearchParams({ provider, provider_group: name })
  return html`<li><bdi>${name}</bdi>: ${translate('No mapping names this group.')} <a href="${pageOf(request, SYSTEM.groupMapping)}add/?${query.toString()}">${translate('Add a mapping')}</a></li>`
}

function noteOn(config: ProviderConfig, rules: readonly GroupRule[]): Content {
  const { name } = config
  if (!readsGroups(config)) {
    return (
      rules.length > 0 &&
      html`<p class="notice warn">${translate('The options of {name} do not say where to find groups, so its mappings have no effect.', { name })}</p>`
    )
  }
  if (config.groups !== undefined || rules.some(({ group }) => group !== undefined)) return undefined
  return html`<p>${translate('{name} has no mapping: people join the local groups that have the same names as their groups at the provider.', { name })}</p>`
}

const effectOf = ({ group, isSuperuser }: GroupRule): string =>
  [
    ...(group === undefined ? [] : [translate('members of {group}', { group })]),
    ...(isSuperuser ? [translate('superusers')] : []),
  ].join(', ')

function previewForm({ service }: ApiRequest, provider: string | undefined, groups: string): Content {
  const providers = providersOf(service.settings)
  if (providers.length === 0) return undefined
  const options = providers.map(({ name }) => ({ value: name, label: name }))
  return panel(
    translate('Preview'),
    html`<form class="edit" method="get"><div class="fields">
${controlField({ name: 'provider', label: translate('Provider'), input: { kind: 'select', options, chosen: [provider ?? ''] } }, 'preview')}
<div class="field"><label for="groups">${translate('Groups at the provider (one per line)')}</label>
<textarea id="groups" name="groups" rows="4" spellcheck="false" dir="auto">
${groups}</textarea></div>
</div><div class="buttons"><button>${translate('Preview')}</button></div></form>`,
  )
}

function previewPanels(request: ApiRequest, preview: LoginPreview, unused: readonly UnusedGroup[]): Content {
  const { provider, groups, is_superuser: isSuperuser, permissions } = preview
  const [groupPage, permissionPage] = [pageOf(request, SYSTEM.group), pageOf(request, SYSTEM.objectPermission)]
  const why = (reasons: LoginPreview['superuser_reasons']): Content =>
    html`<ul class="plain">${reasons.map((reason) => html`<li>${reasonText(request, reason)}</li>`)}</ul>`
  return html`${panel(
    translate("The person's groups"),
    html`${isSuperuser === true && html`<p class="notice warn"><strong>${translate('A superuser: may do everything.')}</strong></p>${why(preview.superuser_reasons)}`}
${isSuperuser === false && html`<p>${translate("Not a superuser: none of the person's groups grants this.")}</p>`}
${
  groups.length === 0
    ? html`<p>${translate('None')}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${translate("The person's groups")}"><table><thead><tr><th scope="col">${translate('Group')}</th><th scope="col">${translate('Reason')}</th></tr></thead><tbody>${groups.map(
        ({ id, name, reasons }) =>
          html`<tr><td>${id === null ? translate('{name} (will be created)', { name }) : html`<a href="${groupPage}${id}/">${name}</a>`}</td><td>${why(reasons)}</td></tr>`,
      )}</tbody></table></div>`
}
${unused.length > 0 && html`<p>${translate('These groups have no effect here:')}</p><ul>${unused.map((group) => causeOf(request, provider, group))}</ul>`}`,
  )}${panel(
    translate("The person's permissions"),
    permissions.length === 0
      ? html`<p>${translate('None')}</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="${translate("The person's permissions")}"><table><thead><tr><th scope="col">${translate('Permission')}</th><th scope="col">${translate('Actions')}</th><th scope="col">${translate('Object types')}</th><th scope="col">${translate('From the groups')}</th></tr></thead><tbody>${permissions.map(
          (permission) =>
            html`<tr><td><a href="${permissionPage}${permission.id}/">${permission.name}</a>${permission.constrained && html` <span class="muted">${translate('with constraints')}</span>`}</td><td>${permission.actions.join(', ')}</td><td>${permission.object_types.join(', ')}</td><td>${permission.groups.join(', ')}</td></tr>`,
        )}</tbody></table></div>`,
  )}`
}

function reasonText(
  request: ApiRequest,
  { source, provider_group, mapping }: LoginPreview['superuser_reasons'][number],
): Content {
  const group = provider_group ?? ''
  if (source === 'default_groups') return translate('default_groups: at the first login only')
  if (source === 'same name') return translate('the group {group} has the same name', { group })
  if (mapping === null) return translate('mapping of {group} in the configuration', { group })
  return html`<a href="${pageOf(request, SYSTEM.groupMapping)}${mapping}/">${translate('mapping of {group} in the database', { group })}</a>`
}

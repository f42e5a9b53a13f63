import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { type ProviderConfig, providersOf } from '../../config/auth-providers.ts'
import { type GroupRule, groupRules } from '../../identity/group-mapping.ts'
import { type LoginPreview, previewLogin, readsGroups } from '../../identity/login-preview.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { panel } from '../components/panel.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { requireSuperuser } from './require-superuser.ts'

const TITLE = 'Sign-in'
const PATH = '/users/sign-in/'
/** Maximum number of groups in a preview: more than anyone would type. */
const MOST_GROUPS = 1_000

/**
 * GET of the group mappings of the configuration and the database, and a preview of the result for a person with some
 * groups of a provider. For superusers.
 */
export async function signInPage(request: ApiRequest): Promise<PageResponse> {
  requireSuperuser(request)
  const { search, service } = request
  const provider = lastValue(search, 'provider')
  const text = lastValue(search, 'groups') ?? ''
  const names = text.split(/\r?\n/).flatMap((line) => line.trim() || [])
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
    styles: ['inputs.css', 'objects.css'],
    breadcrumbs: [{ label: translate(TITLE), path: PATH }],
    body: html`<h1>${translate(TITLE)}</h1>
${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
${await mappingPanel(request)}
${previewForm(request, provider, text)}
${preview && previewPanels(request, preview)}`,
  }
}

const pageOf = ({ service }: ApiRequest, model: string): string =>
  `${service.settings.basePath}${pagePathOf(service.registry.model(model)) ?? '/'}`

async function mappingPanel(request: ApiRequest): Promise<Content> {
  const { database, settings } = request.service
  const providers = providersOf(settings)
  const mappings = await Promise.all(
    providers.map(async (config) => ({ config, rules: await groupRules(database, config) })),
  )
  const others = await database.query<{ provider: string }>(sql`
    select distinct provider from ${table(SYSTEM.groupMapping)}
    where provider <> all(${providers.map(({ name }) => name)}::text[]) order by provider`)
  const list = pageOf(request, SYSTEM.groupMapping)
  const rows = mappings.flatMap(({ config, rules }) =>
    rules.map(
      (rule) =>
        html`<tr><td>${config.name}</td><td>${rule.providerGroup}</td><td>${effectOf(rule)}</td><td>${rule.id === undefined ? translate('Configuration') : html`<a href="${list}${rule.id}/">${translate('Database')}</a>`}</td></tr>`,
    ),
  )
  return panel(
    translate('Group mapping'),
    html`<p class="muted">${translate('Mappings are applied at each login. Those in the configuration can be changed only in AUTH_PROVIDERS.')}</p>
${mappings.map(({ config, rules }) => noteOn(config, rules))}
${others.map(({ provider }) => html`<p class="notice warn">${translate('There are mappings for the provider {name}, which is not configured, so they have no effect.', { name: provider })}</p>`)}
${
  rows.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Group mapping')}"><table><thead><tr><th scope="col">${translate('Provider')}</th><th scope="col">${translate('Group at the provider')}</th><th scope="col">${translate('Members become')}</th><th scope="col">${translate('From')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
<p class="buttons"><a class="button" href="${list}add/">${translate('Add a mapping')}</a> <a class="button quiet" href="${list}">${translate('Mappings in the database')}</a></p>`,
  )
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
  if (providers.length === 0) {
    return html`<p class="notice">${translate('No login provider is configured. Add one in AUTH_PROVIDERS.')}</p>`
  }
  return panel(
    translate('Preview'),
    html`<form method="get"><div class="fields">
<div class="field"><label for="provider">${translate('Provider')}</label>
<select id="provider" name="provider">${providers.map(({ name }) => html`<option value="${name}"${name === provider && html` selected`}>${name}</option>`)}</select></div>
<div class="field"><label for="groups">${translate('Groups at the provider (one per line)')}</label>
<textarea id="groups" name="groups" rows="4" spellcheck="false" dir="auto">
${groups}</textarea></div>
</div><div class="buttons"><button>${translate('Preview')}</button></div></form>`,
  )
}

function previewPanels(request: ApiRequest, preview: LoginPreview): Content {
  const { groups, is_superuser: isSuperuser, permissions, unused } = preview
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
${unused.length > 0 && html`<p>${translate('These groups have no effect here: {names}', { names: unused.join(', ') })}</p>`}`,
  )}${panel(
    translate("The person's permissions"),
    permissions.length === 0
      ? html`<p>${translate('None')}</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="${translate("The person's permissions")}"><table><thead><tr><th scope="col">${translate('Permission')}</th><th scope="col">${translate('Actions')}</th><th scope="col">${translate('Object types')}</th><th scope="col">${translate('From the groups')}</th></tr></thead><tbody>${permissions.map(
          (each) =>
            html`<tr><td><a href="${permissionPage}${each.id}/">${each.name}</a>${each.constrained && html` <span class="muted">${translate('with constraints')}</span>`}</td><td>${each.actions.join(', ')}</td><td>${each.object_types.join(', ')}</td><td>${each.groups.join(', ')}</td></tr>`,
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

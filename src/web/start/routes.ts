import { changePreferences } from '../../api/actions/users/config.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { hasSample } from '../../transfer/demo/sample-objects.ts'
import { checkSource } from '../../transfer/import-from-service.ts'
import { enqueueImport, preferenceOf } from '../../transfer/import-job.ts'
import { SourceError } from '../../transfer/remote/source-error.ts'
import { holdsNothing } from '../../transfer/source-version.ts'
import { requireSuperuser } from '../administration/require-superuser.ts'
import type { Control } from '../components/control.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import { START } from '../frame/header.ts'
import type { PageRow } from '../frame/page-endpoint.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { guideAt } from '../guides/documents.ts'
import { guideMarkup } from '../guides/guide-pages.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { CLOSED, FIRST_STEPS, firstStepsPage } from './first-steps.ts'
import { loadSampleForm, samplePage } from './sample-page.ts'

const SHARED = { isShared: true }

/** The pages to which the first steps lead. */
export const startPages = (
  authentication: Pick<Authentication, 'vault'>,
  menu: readonly MenuSection[],
): readonly PageRow[] => [
  [START.steps, 'GET POST', stepsPage, SHARED],
  [START.netBox, 'GET POST', (request) => netBoxImportPage(request, authentication), SHARED],
  [START.sample, 'GET POST', (request) => samplePage(request, menu), SHARED],
  [START.tutorial, 'GET', tutorialPage, SHARED],
]

/** The form for the address and a token of a NetBox. Sending it starts a job, whose page shows the progress. */
async function netBoxImportPage(request: ApiRequest, { vault }: Pick<Authentication, 'vault'>): Promise<PageResponse> {
  requireSuperuser(request)
  if (request.method !== 'POST') return await formPage(request, '', undefined)
  const { service } = request
  const form = await request.body.form()
  const [source, token] = [textIn(form, 'source').trim(), textIn(form, 'token').trim()]
  try {
    await checkSource({ source, token })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return await formPage(request, source, error.message)
  }
  const id = await enqueueImport(service, vault, requireUser(request), {
    ...{ source, token, prefer: preferenceOf(textIn(form, 'prefer')) },
  })
  return seeOther(`${service.settings.basePath}${pagePathOf(service.registry.model(SYSTEM.job))}${id}/`)
}

async function formPage(
  { service, csrfToken }: ApiRequest,
  source: string,
  problem: string | undefined,
): Promise<PageResponse> {
  const main = mainOf(service)
  const isEmpty = await holdsNothing(main, main.database)
  const title = translate('Import from NetBox')
  const controls: readonly Control[] = [
    {
      name: 'source',
      label: translate('Address'),
      help: translate('Such as https://netbox.example.com'),
      isRequired: true,
      input: { kind: 'text', type: 'text', value: source },
    },
    {
      name: 'token',
      label: translate('API token'),
      help: translate('Of a superuser; it may be read-only. It is stored encrypted until the import has ended.'),
      isRequired: true,
      input: { kind: 'text', type: 'password', value: '' },
    },
    ...(isEmpty ? [] : [preferenceControl()]),
  ]
  const { basePath } = service.settings
  return {
    title,
    status: problem === undefined ? 200 : 400,
    styles: ['inputs.css', 'edit.css'],
    breadcrumbs: [{ label: title, path: START.netBox }],
    body: html`<div class="heading"><h1>${title}</h1></div>
<p>${translate('Reads everything that the NetBox shows, with ids, times and change log, and loads it in one step: all of it or nothing. The NetBox is only read.')}</p>
${!isEmpty && html`<p class="notice">${translate('This service has objects already. The job only compares first, and shows which objects are created, which are the same as objects here, and what changes. Nothing is written until you agree.')}</p>`}
<p>${translate('Passwords and tokens cannot be read from it. The log of the job says what is left to do.')}</p>
${editForm({
  action: `${basePath}${START.netBox}`,
  csrfToken,
  groups: [{ label: '', controls }],
  messages: problem,
  submit: isEmpty ? translate('Start the import') : translate('Compare'),
  focusesFirst: true,
  cancel: `${basePath}/`,
})}`,
  }
}

/** What happens to objects that are on both sides with different values. */
const preferenceControl = (): Control => ({
  name: 'prefer',
  label: translate('If values differ'),
  help: translate('Values that have changed only in the NetBox since the last import are always taken over.'),
  input: {
    kind: 'select',
    options: [
      { value: 'here', label: translate('Keep the values here') },
      { value: 'source', label: translate('Take the values of the NetBox') },
    ],
    chosen: ['here'],
  },
})

/** GET and POST /start/: the first steps; the form closes the list on the start page, or opens it again. */
async function stepsPage(request: ApiRequest): Promise<PageResponse> {
  const { service, method, body } = request
  if (method === 'POST') {
    const isClosed = textIn(await body.form(), CLOSED) === 'true'
    await changePreferences(mainOf(service), requireUser(request).id, { [FIRST_STEPS]: { [CLOSED]: isClosed } })
    return seeOther(`${service.settings.basePath}/`)
  }
  const title = translate('First steps')
  return {
    title,
    styles: ['objects.css', 'start.css'],
    breadcrumbs: [{ label: title, path: START.steps }],
    body: html`<div class="heading"><h1>${title}</h1></div>${await firstStepsPage(request)}`,
  }
}

/** The tutorial from docs/, and the sample network that it uses if it is missing. */
async function tutorialPage(request: ApiRequest): Promise<PageResponse> {
  const { actor, service } = request
  const title = translate('Tutorial')
  const mayLoad = actor.kind === 'user' && actor.isSuperuser && !(await hasSample(service))
  return {
    title,
    styles: ['objects.css', 'start.css', 'guides.css'],
    breadcrumbs: [
      { label: translate('First steps'), path: START.steps },
      { label: title, path: START.tutorial },
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
${mayLoad && html`<section class="card"><p>${translate('The tutorial uses the sample network, which can be removed again at any time.')}</p>${loadSampleForm(request, START.tutorial)}</section>`}
<article class="card prose" lang="en">${guideMarkup(request, guideAt('start/tutorial.md'))}</article>`,
  }
}

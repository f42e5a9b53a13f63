import { removeDashboard } from '../../api/actions/extras/stored-dashboard.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { csrfInput } from '../account/account-page.ts'
import { seeOther } from '../account/page-answer.ts'
import { textIn } from '../forms/submitted-texts.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { translate } from '../texts/translate.ts'
import { arrangementBody } from './arrange-dashboard.ts'
import { ordered, type Rearrangement, rearranged } from './dashboard-layout.ts'
import { ownWidgets, storeOwnWidgets } from './own-dashboard.ts'
import type { Widget } from './widget.ts'
import { shownWidgets } from './widget-content.ts'
import { WIDGET_KINDS } from './widget-kinds.ts'

const REARRANGEMENTS: readonly Rearrangement[] = ['earlier', 'later', 'narrower', 'wider', 'remove']

/** GET and POST /dashboard/: the start page with buttons that move, resize and remove widgets. */
export async function arrangePage(
  frame: PageFrame,
  menu: readonly MenuSection[],
  request: ApiRequest,
): Promise<HttpResponse> {
  const { id: user } = requireUser(request)
  const { database, settings } = request.service
  const { basePath } = settings
  if (request.method === 'POST') {
    const form: FormValues = (await request.body.form()) ?? new Map()
    if (textIn(form, 'change') === 'reset') await removeDashboard(database, user)
    else await storeOwnWidgets(request, afterChange(await ownWidgets(request, menu), form))
    return seeOther(`${basePath}/dashboard/`)
  }
  const widgets = await ownWidgets(request, menu)
  return await frame(request, {
    title: translate('Arrange the start page'),
    styles: ['objects.css', 'dashboard.css', 'utilization.css'],
    scripts: ['dashboard.client.ts'],
    breadcrumbs: [{ label: translate('Home'), path: '/' }],
    body: arrangementBody({
      basePath,
      csrfInput: csrfInput(request),
      widgets: await shownWidgets(request, widgets, { arranging: true }),
      kinds: [...WIDGET_KINDS].map(([kind, { label, help }]) => ({
        kind,
        label: translate(label),
        help: translate(help),
      })),
    }),
  })
}

function afterChange(widgets: readonly Widget[], form: FormValues): readonly Widget[] {
  const change = textIn(form, 'change')
  if (change === 'order') return ordered(widgets, textIn(form, 'order').split(','))
  const rearrangement = REARRANGEMENTS.find((each) => each === change)
  return rearrangement ? rearranged(widgets, textIn(form, 'widget'), rearrangement) : widgets
}

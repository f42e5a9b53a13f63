import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { html } from '../components/html.ts'
import { readOne } from '../frame/inner-request.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { objectHeading } from '../object/object-heading.ts'
import { translate } from '../texts/translate.ts'
import { editGroups, filledGroups } from './edit-controls.ts'
import { type FormPage, shownGroups } from './edit-form-page.ts'
import { type FormTexts, isSame, shownTexts, textOfControl } from './form-texts.ts'
import { textsShown } from './touched.ts'
import { type VersionRow, versionsForm } from './versions-form.ts'

/**
 * The page for an object that another user changed while the form was open: each field that differs as it was, as it is
 * now, and as it was entered. The user saves what was entered, or takes what is stored.
 */
export async function changedMeanwhile(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
  { base, texts = new Map() }: FormPage,
): Promise<HttpResponse> {
  const { object, etag } = await readOne(request, model)
  const current = await editGroups(request, model, object)
  const before = filledGroups(base, textsShown(base, texts), true)
  const mine = filledGroups(current, texts, true)
  const [shownBefore, shownTheirs, shownMine] = await Promise.all(
    [before, current, mine].map(async (groups) => {
      const shown = await shownGroups(request, model, { groups, edited: { object, etag } })
      return shown.flatMap(({ controls }) => controls)
    }),
  )
  const rows = (shownMine ?? []).flatMap((control): VersionRow[] => {
    const old = shownBefore?.find(({ name }) => name === control.name)
    const theirs = shownTheirs?.find(({ name }) => name === control.name)
    if (!old || !theirs || control.sentAs === 'none') return []
    const isMine = !isSame(shownTexts(control), shownTexts(old))
    const isTheirs = !isSame(shownTexts(theirs), shownTexts(old))
    if (!isMine && !isTheirs) return []
    return [
      {
        label: control.label,
        before: textOfControl(old),
        theirs: textOfControl(theirs),
        mine: isMine ? textOfControl(control) : undefined,
        isConflict: isMine && isTheirs,
      },
    ]
  })
  const { basePath } = request.service.settings
  const own = `${basePath}${pagePathOf(model)}${object.id}/`
  return frame(request, {
    title: translate('{object} was changed meanwhile', { object: String(object.display) }),
    model,
    status: 412,
    styles: ['inputs.css', 'objects.css', 'edit.css'],
    body: html`${objectHeading(request, model, object)}${versionsForm({
      action: request.url.pathname,
      hidden: {
        ...resent(texts),
        csrfmiddlewaretoken: [request.csrfToken ?? ''],
        _etag: [etag ?? ''],
      },
      rows,
      formPage: `${own}edit/`,
      objectPage: own,
    })}`,
  })
}

/** Texts that the page sends once more: those of fields, not of buttons. */
const resent = (texts: FormTexts): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...texts].filter(([name]) => !BUTTONS.has(name)))

const BUTTONS: ReadonlySet<string> = new Set(['_save', '_addanother', '_find', '_refresh'])

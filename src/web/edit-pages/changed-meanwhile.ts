import type { ApiRequest } from '../../api/api-request.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { readOne } from '../data/page-objects.ts'
import { editGroups, filledGroups } from '../forms/edit-controls.ts'
import { type FormTexts, isSame, shownTexts, textOfControl } from '../forms/form-texts.ts'
import { textsShown } from '../forms/touched.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { type FormPage, shownGroups } from './edit-form-page.ts'

/**
 * The page for an object that another user changed while the form was open: each differing field with its former,
 * present and entered value. The user either saves what was entered, or keeps what is stored.
 */
export async function changedMeanwhile(
  request: ApiRequest,
  model: Model,
  { base, texts = new Map() }: FormPage,
): Promise<PageResponse> {
  const { object, etag } = await readOne(request, model)
  const current = await editGroups(request, model, object)
  const before = filledGroups(base, textsShown(base, texts), true)
  const mine = filledGroups(current, texts, true)
  const [shownBefore, shownTheirs, shownMine] = await Promise.all(
    [before, current, mine].map(async (groups) => {
      const visibleGroups = await shownGroups(request, model, { groups, edited: { object, etag } })
      return visibleGroups.flatMap(({ controls }) => controls)
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
  const page = `${basePath}${pagePathOf(model)}${object.id}/`
  const hidden = {
    ...resent(texts),
    csrfmiddlewaretoken: [request.csrfToken ?? ''],
    _etag: [etag ?? ''],
  }
  return {
    title: translate('{object} was changed in the meantime', { object: String(object.display) }),
    model,
    status: 412,
    styles: ['inputs.css', 'objects.css', 'edit.css'],
    // The versions side by side, by field: the form asks which one to keep.
    body: html`${objectHeading({ request, model, object })}<div class="notice warn" role="alert"><p>${translate('Another user changed this object while the form was open. Your changes are not saved yet.')}</p></div>
<form class="card" method="post" action="${request.url.pathname}">
${Object.entries(hidden).map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<div class="scroll"><table class="versions"><caption class="visually-hidden">${translate('Fields that differ')}</caption>
<thead><tr><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('Now, by another user')}</th><th scope="col">${translate('Yours')}</th></tr></thead>
<tbody>${rows.map(tableRow)}</tbody></table></div>
<p class="help">${translate('Only the fields that you changed will be saved; all others keep their current values.')}</p>
<div class="buttons"><button name="_save" value="1">${translate('Save mine')}</button><a class="button quiet" href="${page}edit/">${translate('Take theirs and continue editing')}</a><a class="button quiet" href="${page}">${translate('Take theirs')}</a></div>
</form>`,
  }
}

/** Texts that the page sends again: those of fields, not those of buttons. */
const resent = (texts: FormTexts): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...texts].filter(([name]) => !BUTTONS.has(name)))

const BUTTONS: ReadonlySet<string> = new Set(['_save', '_addanother', '_find', '_refresh'])

/** A field that differs between the versions of an object. */
interface VersionRow {
  readonly label: string
  readonly before: string
  readonly theirs: string
  /** Undefined if the user did not change it. */
  readonly mine: string | undefined
  /** Both changed it. */
  readonly isConflict: boolean
}

const tableRow = ({ label, before, theirs, mine, isConflict }: VersionRow): Html =>
  html`<tr class="${isConflict && 'conflict'}"><th scope="row">${label}${isConflict && html` <span class="badge yellow">${translate('both')}</span>`}</th><td>${textDisplay(before)}</td><td>${theirs === before ? html`<span class="no">${translate('not changed')}</span>` : textDisplay(theirs)}</td><td>${mine === undefined ? html`<span class="no">${translate('not changed')}</span>` : textDisplay(mine)}</td></tr>`

const textDisplay = (text: string): Content =>
  text === '' ? html`<span class="no">${translate('empty')}</span>` : html`<bdi class="text">${text}</bdi>`

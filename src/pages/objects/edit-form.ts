import { type Control, controlView } from '../control.ts'
import { type Html, html } from '../html.ts'

/** Messages of a refusal: a sentence, several, or those of each field. */
type Messages = string | readonly Messages[] | { readonly [field: string]: Messages }

/** A form for an object, sent as a plain form. */
export interface EditForm {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly groups: readonly { readonly label: string; readonly controls: readonly Control[] }[]
  /** Why the entered values were refused. */
  readonly messages: Messages | undefined
  /** Label of the button. */
  readonly submit: string
  /** Address to return to without saving. */
  readonly cancel: string
}

/** Fields in groups, with the errors at their fields and all others above. */
export function editForm({ action, csrfToken, groups, messages, submit, cancel }: EditForm): Html {
  const names = new Set(groups.flatMap(({ controls }) => controls.map(({ name }) => name)))
  const errors = errorsByName(messages)
  const other = [...errors].filter(([name]) => !names.has(name))
  return html`<form class="edit" method="post" action="${action}" enctype="multipart/form-data" novalidate>
<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken ?? ''}">
${errors.size > 0 && html`<div class="notice bad" role="alert"><p>Nothing was saved.</p>${other.map(([name, texts]) => html`<p>${OVERALL.has(name) ? '' : `${name}: `}${texts.join(' ')}</p>`)}</div>`}
${groups.map(({ label, controls }) => html`<fieldset class="card"><legend class="${label === '' && 'visually-hidden'}">${label || 'Fields'}</legend><div class="fields">${controls.map((control) => controlView({ ...control, errors: errors.get(control.name) ?? [] }, 'field'))}</div></fieldset>`)}
<div class="buttons sticky"><button>${submit}</button><a class="button quiet" href="${cancel}">Cancel</a></div>
</form>`
}

/** Names under which refusals stand that concern no single field. */
const OVERALL: ReadonlySet<string> = new Set(['', '__all__', 'non_field_errors', 'detail'])

/** Messages by field; those of inner documents by path: `custom_fields.x`. */
export function errorsByName(
  messages: Messages | undefined,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const visit = (each: Messages, path: string): void => {
    if (typeof each === 'string') found.set(path, [...(found.get(path) ?? []), each])
    else if (Array.isArray(each)) for (const item of each) visit(item, path)
    else
      for (const [name, inner] of Object.entries(each))
        visit(inner, path === '' ? name : `${path}.${name}`)
  }
  if (messages !== undefined) visit(messages, '')
  return found
}

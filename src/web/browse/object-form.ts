import { type Control, controlField } from '../components/control.ts'
import { type Content, type Html, html } from '../components/html.ts'

/** A form that is sent as an API request. Only the script can send it. */
export interface ObjectForm {
  /** URL of the request, with the base path. */
  readonly action: string
  readonly method: 'POST' | 'PATCH'
  readonly controls: readonly Control[]
  /** Label of the button. */
  readonly submit: string
  /** Target after success; `self` for the created object. */
  readonly leadsTo: string
}

/** Fields, required ones first. */
export function objectForm({ action, method, controls, submit, leadsTo }: ObjectForm): Html {
  const needed = controls.filter(({ isRequired }) => isRequired)
  const optional = controls.filter(({ isRequired }) => !isRequired)
  const fields = (list: readonly Control[]): Content =>
    html`<div class="fields">${list.map((control) => controlField(control, 'field'))}</div>`
  return html`<form class="card request" action="${action}" data-method="${method}" data-leads-to="${leadsTo}" novalidate>
${NEEDS_SCRIPT}
${needed.length > 0 && fields(needed)}
${needed.length > 0 && optional.length > 0 && html`<hr>`}
${fields(optional)}
<div class="refusal" role="alert"></div>
<div class="buttons"><button>${submit}</button></div>
</form>`
}

/** A request with a body that the user types. */
interface RawForm {
  readonly action: string
  readonly methods: readonly string[]
  readonly text: string
  /** Target after success; `self` for the created object, `answer` to show the response here. */
  readonly leadsTo: string
}

/** Editor for a body, with the response below. */
export const rawForm = ({
  action,
  methods,
  text,
  leadsTo,
}: RawForm): Html => html`<details class="more card"${leadsTo === 'answer' && html` open`}>
<summary>${leadsTo === 'answer' ? 'Request' : 'Raw JSON'}</summary>
<form class="raw" action="${action}" data-leads-to="${leadsTo}" novalidate>
${NEEDS_SCRIPT}
<div class="field wide"><label for="raw-body">Body</label>
<textarea id="raw-body" name="body" rows="12" spellcheck="false">
${text}</textarea></div>
<div class="refusal" role="alert"></div>
<div class="buttons">${methods.map((method, index) => html`<button name="method" value="${method}"${index > 0 && html` class="quiet"`}>${method}</button>`)}</div>
<pre class="json answer" tabindex="0" role="region" aria-label="Answer" hidden></pre>
</form>
</details>`

/** Form that confirms the deletion of an object. */
export const deletionForm = (
  action: string,
  name: string,
  leadsTo: string,
): Html => html`<form class="card request" action="${action}" data-method="DELETE" data-leads-to="${leadsTo}">
${NEEDS_SCRIPT}
<p>This deletes <strong>${name}</strong> and what cannot be without it. It cannot be undone.</p>
<div class="refusal" role="alert"></div>
<div class="buttons"><button class="danger">Delete ${name}</button></div>
</form>`

const NEEDS_SCRIPT = html`<noscript><p class="notice warn">This form needs JavaScript, which your browser does not run.</p></noscript>`

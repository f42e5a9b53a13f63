import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** The page that splits a prefix. */
export interface Split {
  readonly title: string
  readonly csrfInput: Content
  /** Address of the prefix. */
  readonly back: string
  /** Lengths that can be chosen. */
  readonly lengths: readonly number[]
  readonly length: number | undefined
  /** Prefixes that would be created. */
  readonly parts: readonly string[]
  /** Why they were not created. */
  readonly refusal: string | undefined
}

/** A list of lengths, then the prefixes of the chosen one with a button that creates them. */
export const splitBody = ({
  title,
  csrfInput,
  back,
  lengths,
  length,
  parts,
  refusal,
}: Split): Html =>
  html`<h1>${title}</h1>
${refusal !== undefined && html`<div class="notice bad" role="alert"><p>${translate('Nothing was saved.')}</p><p>${refusal}</p></div>`}
${
  lengths.length === 0
    ? html`<p class="notice">${translate('There is no free space to split, or too many prefixes are in it.')}</p>`
    : html`<form class="card" method="get"><label>${translate('Length of the new prefixes')} <select name="length">${lengths.map((each) => html`<option value="${each}" ${each === length && 'selected'}>/${each}</option>`)}</select></label> <button class="quiet">${translate('Preview')}</button></form>`
}
${
  parts.length > 0 &&
  html`<form class="card" method="post">${csrfInput}<input type="hidden" name="length" value="${length}">
<p>${translate('{count} prefix will be created, with the VRF, tenant, role and scope of this one:|{count} prefixes will be created, with the VRF, tenant, role and scope of this one:', { count: parts.length })}</p>
<ul class="columns">${parts.map((part) => html`<li>${part}</li>`)}</ul>
<div class="buttons"><button>${translate('Create the prefixes')}</button></div></form>`
}
<p><a href="${back}">${translate('Back to the prefix')}</a></p>`

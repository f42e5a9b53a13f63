import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ApiError } from '../../base/errors.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { csrfField } from '../components/csrf-field.ts'
import type { TabContent } from '../frame/object-content.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'

/** The path of a stored file; pages need no host in its URL. */
export const filePath = ({ base, service }: ApiRequest, address: unknown): string =>
  `${service.settings.basePath}${String(address).slice(base.length)}`

/** `812 B`, `1.5 MiB`. */
export function fileSize(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** power
  return `${numeral(amount >= 10 || power === 0 ? Math.round(amount) : Math.round(amount * 10) / 10)} ${UNITS[power]}`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB']

/** A file of an object, in a list. */
interface ListedFile {
  readonly name: string
  /** Path of the page about the file. */
  readonly page: string
  /** The address to which its name leads: that of its content, or of another site. */
  readonly address: string
  readonly size?: number | undefined
  readonly facts?: readonly Content[]
  readonly description?: string
}

export const fileList = (files: readonly ListedFile[]): Html =>
  files.length === 0
    ? html`<p class="notice">${translate('There are no files.')}</p>`
    : html`<ul class="files card">${files.map(
        ({ name, page, address, size, facts = [], description = '' }) =>
          html`<li><a href="${address}" rel="noreferrer"><bdi>${name}</bdi></a> <span class="muted">${[
            size === undefined ? undefined : fileSize(size),
            ...facts,
          ]
            .flatMap((fact) => (fact ? [html`${fact}`, ' · '] : []))
            .slice(0, -1)}</span> <a class="button quiet" href="${page}">${translate('Details')}</a>${
            description !== '' && html`<p class="muted" dir="auto">${description}</p>`
          }</li>`,
      )}</ul>`

interface UploadForm {
  readonly request: ApiRequest
  readonly title: string
  readonly button: string
  /** Name of the field for files. */
  readonly field: string
  readonly accept?: string
  /** Several files can be chosen. */
  readonly isMultiple?: boolean
  readonly isRequired?: boolean
  readonly fields?: Content
  readonly refusal: string | undefined
}

/** A form to which files can be dragged; its page lists `file-drop.client.ts` among its scripts. */
export function uploadForm(form: UploadForm): Html {
  const { request, title, button, field, accept, isMultiple = false, isRequired = true, fields, refusal } = form
  return html`<form class="card entry" method="post" enctype="multipart/form-data" action="${request.url.pathname}" data-drop="${field}">
${csrfField(request.csrfToken)}
<h2>${title}</h2>
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
<label>${translate('File')} <input type="file" name="${field}"${accept !== undefined && html` accept="${accept}"`}${isMultiple && html` multiple`}${isRequired && html` required`}></label>
${fields}
<div class="buttons"><button>${button}</button></div>
</form>`
}

/** The values of a form with files. */
interface UploadValues {
  readonly text: (name: string) => string
  /** Files that have been chosen. */
  readonly files: (name: string) => readonly UploadedFile[]
}

/**
 * The tab of an object with files. After a POST, `store` stores what its form contains, and the page is shown again; a
 * refusal is shown in the form.
 */
export async function filesTab(
  request: ApiRequest,
  page: string,
  {
    effect = 'file',
    store,
    content,
  }: {
    readonly effect?: 'file' | 'image'
    readonly store: (values: UploadValues) => Promise<unknown>
    readonly content: (refusal: string | undefined) => Promise<Content>
  },
): Promise<TabContent | HttpResponse> {
  let refusal: string | undefined
  if (request.method === 'POST') {
    try {
      const form = await request.body.form()
      await store({
        text: (name) => String(form?.get(name)?.at(-1) ?? ''),
        files: (name) =>
          (form?.get(name) ?? []).flatMap((entry) =>
            entry instanceof UploadedFile && (entry.filename !== '' || entry.size > 0) ? [entry] : [],
          ),
      })
      return seeOther(withEffect(page, effect, request))
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
      refusal = sentenceOf(error)
    }
  }
  return {
    status: refusal === undefined ? 200 : 400,
    content: await content(refusal),
    styles: ['inputs.css'],
    scripts: ['file-drop.client.ts'],
  }
}

import { controlField, type Option } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { translate } from '../texts/translate.ts'

/** A column that an import may have, for people. */
export interface OfferedColumn {
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
}

/** A header of the text and the column as which it is read. */
export interface MappedHeader {
  readonly header: string
  /** '' leaves the column out. */
  readonly column: string
  /** The first values below the header. */
  readonly samples: readonly string[]
}

/** The form of an import in all its steps: it carries the text from one to the next. */
export interface ImportForm {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly cancel: string
  readonly data: string
  readonly format: string
  readonly delimiter: string
  readonly matchesKeys: boolean
  readonly offered: readonly OfferedColumn[]
  readonly dataFiles: readonly Option[]
  /** Headers of a text that has been read. */
  readonly headers: readonly MappedHeader[]
  /** Whether headers have to be assigned before a preview is possible. */
  readonly isUnmapped: boolean
  readonly result: Content
  /** Label of the button that imports; absent: a preview comes first. */
  readonly importLabel: string | undefined
}

const formats = (): readonly Option[] => [
  { value: 'auto', label: translate('Detect') },
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'yaml', label: 'YAML' },
]

const delimiters = (): readonly Option[] => [
  { value: 'auto', label: translate('Detect') },
  { value: 'comma', label: translate('Comma') },
  { value: 'semicolon', label: translate('Semicolon') },
  { value: 'tab', label: translate('Tab') },
]

/** A text to import, the columns that it may have, and the result of its preview. */
export function importForm(form: ImportForm): Html {
  const { action, csrfToken, cancel, headers, isUnmapped, result, importLabel } = form
  const isFirst = headers.length === 0
  const buttons = html`<div class="buttons sticky">
${importLabel !== undefined && html`<button name="step" value="import">${importLabel}</button>`}
<button name="step" value="preview" class="${importLabel !== undefined && 'quiet'}">${translate('Preview')}</button>
<a class="button quiet" href="${cancel}">${translate('Cancel')}</a></div>`
  return html`<form class="edit import" method="post" action="${action}" enctype="multipart/form-data" novalidate>
${csrfField(csrfToken)}
${result}
${headers.length > 0 && mapping(form, isUnmapped)}
${isFirst ? source(form) : html`<details${isUnmapped || importLabel !== undefined ? undefined : html` open`}><summary>${translate('The text')}</summary>${source(form)}</details>`}
${buttons}
<details class="card"${isFirst && html` open`}><summary>${translate('Columns')}</summary>${columnsTable(form.offered)}</details>
</form>`
}

function source({ data, format, delimiter, matchesKeys, dataFiles }: ImportForm): Html {
  const select = (name: string, label: string, options: readonly Option[], chosen: string): Html =>
    controlField({ name, label, input: { kind: 'select', options, chosen: [chosen] } }, 'field')
  return html`<fieldset class="card"><legend class="visually-hidden">${translate('Text')}</legend><div class="fields">
${controlField({ name: 'data', label: translate('Text'), help: translate('CSV with a header, JSON or YAML'), input: { kind: 'lines', value: data, rows: 12 } }, 'field')}
${controlField({ name: 'upload_file', label: translate('Or a file'), input: { kind: 'file' } }, 'field')}
${dataFiles.length > 0 && controlField({ name: 'data_file', label: translate('Or a file of a data source'), input: { kind: 'select', options: dataFiles, chosen: [], empty: translate('None') } }, 'field')}
${select('format', translate('Format'), formats(), format)}
${select('csv_delimiter', translate('Delimiter of CSV'), delimiters(), delimiter)}
${controlField({ name: 'match_keys', label: translate('Change existing objects'), help: translate('Rows without an id change the object with the same unique values'), input: { kind: 'checkbox', isChecked: matchesKeys } }, 'field')}
</div></fieldset>`
}

/** The headers of the text with the columns as which they are read. */
function mapping({ headers, offered }: ImportForm, isOpen: boolean): Html {
  const optionsFor = (column: string): readonly Option[] => {
    const names = offered.map(({ name }) => name)
    const all = column === '' || names.includes(column) ? names : [column, ...names]
    return all.map((name) => ({ value: name, label: name }))
  }
  return html`<details class="card"${isOpen && html` open`}><summary>${translate('Columns of the text')}</summary>
${isOpen && html`<p>${translate('Some headers are no columns of this import. Choose what they are.')}</p>`}
<div class="fields">${headers.map(({ header, column, samples }) =>
    controlField(
      {
        name: `map.${header}`,
        label: header,
        help:
          samples.length > 0
            ? translate('For example: {values}', { values: samples.join(', ') })
            : undefined,
        input: {
          kind: 'select',
          options: optionsFor(column),
          chosen: [column],
          empty: translate('Leave out'),
        },
      },
      'map',
    ),
  )}</div></details>`
}

const columnsTable = (columns: readonly OfferedColumn[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Columns')}"><table>
<thead><tr><th scope="col">${translate('Column')}</th><th scope="col">${translate('Required')}</th><th scope="col">${translate('Values')}</th></tr></thead>
<tbody>${columns.map(({ name, isRequired, description }) => html`<tr><th scope="row"><code>${name}</code></th><td>${isRequired && translate('for new objects')}</td><td>${description}</td></tr>\n`)}</tbody>
</table></div>`

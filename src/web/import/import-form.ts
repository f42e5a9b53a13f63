import { controlField, type Option } from '../components/control.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** A column that an import may have, for people. */
export interface OfferedColumn {
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
  /** Whether a new object may have it in CSV. */
  readonly isForNewRows: boolean
}

/** A header of the text, and its column. */
export interface MappedHeader {
  readonly header: string
  /** '' leaves the column out. */
  readonly column: string
  /** The first values below the header. */
  readonly samples: readonly string[]
}

/** The form of an import, which carries the text from step to step. */
interface ImportForm {
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
  /** The problems, and what the import would do. */
  readonly summary: Content
  /** The same row by row. */
  readonly rows: Content
  /** The rows have inputs for refused cells. */
  readonly isCorrectable: boolean
  /** Label of the button that imports; absent: a preview comes first. */
  readonly importLabel: string | undefined
}

/** Parameter that makes the page a download: a CSV file with only a header. */
export const EMPTY_FILE = 'empty'

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
  const { action, csrfToken, cancel, headers, isUnmapped, summary, rows, isCorrectable, importLabel } = form
  const isFirst = headers.length === 0
  const mayImport = importLabel !== undefined
  const isRowsFirst = mayImport || isCorrectable
  const buttons = html`<div class="buttons sticky">
${mayImport && html`<button name="step" value="import">${importLabel}</button>`}
<button name="step" value="preview" class="${mayImport && 'quiet'}">${translate('Preview')}</button>
${!mayImport && html`<button name="step" value="import" class="quiet">${translate('Import now')}</button>`}
<a class="button quiet" href="${cancel}">${translate('Cancel')}</a></div>`
  return html`<form class="edit import" method="post" action="${action}" enctype="multipart/form-data" novalidate>
${csrfField(csrfToken)}
${summary}
${isRowsFirst && rows}
${headers.length > 0 && mapping(form, isUnmapped)}
${isFirst ? source(form) : html`<details${!isUnmapped && !isRowsFirst && html` open`}><summary>${translate('Text and options')}</summary>${source(form)}</details>`}
${/* Refused rows stand below the text in which they are corrected. */ ''}${!isRowsFirst && rows}
${buttons}
<details class="card"${isFirst && html` open`}><summary>${translate('Columns that an import may have')}</summary><p><a class="button quiet" href="${action}?${EMPTY_FILE}">${translate('Download an empty file')}</a> <span class="muted">${translate('The columns of a CSV file, required ones first.')}</span></p>
${columnsTable(form.offered)}</details>
</form>`
}

function source({ data, format, delimiter, headers, matchesKeys, dataFiles }: ImportForm): Html {
  const select = (name: string, label: string, options: readonly Option[], chosen: string): Html =>
    controlField({ name, label, input: { kind: 'select', options, chosen: [chosen] } }, 'field')
  return html`<fieldset class="card"><legend class="visually-hidden">${translate('Text')}</legend><div class="fields">
${controlField({ name: 'data', label: translate('Text'), help: translate('CSV with a header, JSON or YAML'), isFocused: headers.length === 0, input: { kind: 'lines', value: data, rows: 12 } }, 'field')}
${controlField({ name: 'upload_file', label: translate('Or a file'), input: { kind: 'file' } }, 'field')}
${dataFiles.length > 0 && controlField({ name: 'data_file', label: translate('Or a file of a data source'), input: { kind: 'select', options: dataFiles, chosen: [], empty: translate('None') } }, 'field')}
${select('format', translate('Format'), formats(), format)}
${select('csv_delimiter', translate('Delimiter of CSV'), delimiters(), delimiter)}
${controlField({ name: 'match_keys', label: translate('Change existing objects'), help: translate('Rows without an id change the object with the same unique values'), input: { kind: 'checkbox', isChecked: matchesKeys } }, 'field')}
</div></fieldset>`
}

/** The headers of the text, each with its column. */
function mapping({ headers, offered }: ImportForm, isOpen: boolean): Html {
  const optionsFor = (column: string): readonly Option[] => {
    const names = offered.map(({ name }) => name)
    const all = column === '' || names.includes(column) ? names : [column, ...names]
    return all.map((name) => ({ value: name, label: name }))
  }
  return html`<details class="card"${isOpen && html` open`}><summary>${translate('Matched columns')}</summary>
${isOpen && html`<p>${translate('Some headers do not match any column of this import. Choose a column for each of them.')}</p>`}
<div class="fields">${headers.map(({ header, column, samples }) =>
    controlField(
      {
        name: `map.${header}`,
        label: header,
        help: samples.length > 0 ? translate('For example: {values}', { values: samples.join(', ') }) : undefined,
        input: {
          kind: 'select',
          options: optionsFor(column),
          chosen: [column],
          empty: translate('Skip'),
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

import { accept, NOT_NULL, type Outcome, refuse } from '../outcome.ts'
import { UploadedFile } from '../uploaded-file.ts'
import {
  builder,
  mayBeEmpty,
  type OptionsOf,
  quotePlain,
  restoredText,
  type ScalarKind,
  type Stored,
  type ValueOf,
} from './kind.ts'

/** An image or file below the media directory; the column contains the relative path. */
export interface FileField<Value = string> extends Stored<'file', Value> {
  readonly image: boolean
  /** Directory below the media directory. */
  readonly directory: string
  readonly blank?: boolean
}

export const file = <const O extends OptionsOf<FileField>>(options: O): FileField<ValueOf<string, O>> =>
  builder<FileField>('file')(options)

/**
 * Placeholder for the base URL in texts that outlive a request (cached nested projections). It cannot occur elsewhere:
 * JSON escapes it, and PostgreSQL stores no NUL.
 */
export const BASE = '\u0000'

/** Part of a file's address before its path below the media directory. */
const MEDIA = /^.*?\/media\//

export const fileKind: ScalarKind<FileField<unknown>> = {
  options: { image: true, directory: true, blank: true },
  columnType: () => 'text',
  parse: (field, input): Outcome => {
    if (input === '') return allowsNoFile(field) ? accept('') : refuse('No file was submitted.')
    if (!(input instanceof UploadedFile)) return refuse('The submitted data was not a file.')
    return input.bytes.length === 0 ? refuse('The submitted file is empty.') : accept(input)
  },
  parseNull: (field) => (allowsNoFile(field) ? accept('') : refuse(NOT_NULL)),
  restore: (value) => {
    const path = restoredText(value).replace(MEDIA, '')
    try {
      return decodeURIComponent(path)
    } catch {
      // Not encoded if the name contains a percent sign.
      return path
    }
  },
  empty: '',
  cleared: () => '',
  text: () => (path) =>
    path === '' ? 'null' : quotePlain(`${BASE}/media/${String(path).split('/').map(encodeURIComponent).join('/')}`),
  metadata: ({ image }) => ({ type: image ? 'image upload' : 'file upload' }),
  // Null in responses if there is no file.
  schema: (field) => ({
    type: 'string',
    format: 'uri',
    ...(mayBeEmpty(field) && { nullable: true }),
  }),
  sentSchema: () => ({ type: 'string', format: 'binary' }),
  graphql: { type: () => 'String' },
  control: () => 'file',
}

const allowsNoFile = ({ blank, nullable, default: initial }: FileField<unknown>): boolean =>
  blank === true || nullable === true || initial === ''

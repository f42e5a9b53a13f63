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
  /** Field with the number of bytes; by default the one whose name is that of this field and `_size`, if there is one. */
  readonly size?: string
  /** Texts of JSON bodies contain the file in base64. */
  readonly base64?: boolean
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
  options: { image: true, directory: true, blank: true, size: true, base64: true },
  columnType: () => 'text',
  parse: (field, input): Outcome => {
    if (input === '') return allowsNoFile(field) ? accept('') : refuse('No file was submitted.')
    if (field.base64 && typeof input === 'string') return parseBase64(input)
    if (!(input instanceof UploadedFile)) return refuse('The submitted data was not a file.')
    return input.size === 0 ? refuse('The submitted file is empty.') : accept(input)
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

const BASE64 = /^(?:data:[^,]{0,100};base64,)?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

function parseBase64(input: string): Outcome {
  const [, content = ''] = BASE64.exec(input.replace(/\s+/g, '')) ?? []
  if (content === '') return refuse('Send a file, or its content in base64.')
  return accept(new UploadedFile('', Buffer.from(content, 'base64'), content))
}

const allowsNoFile = ({ blank, nullable, default: initial }: FileField<unknown>): boolean =>
  blank === true || nullable === true || initial === ''

import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import { ApiError } from '../../errors.ts'
import type { Field } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import type { FormValues } from './body.ts'
import { CSRF_FIELD } from './csrf-field.ts'
import { checkDepth, checkParameters } from './limits.ts'

type Part = MultipartFile | MultipartValue

/**
 * The fields of a multipart form, files and all. Throws `malformed` for what is no such form, `tooLarge`
 * where its parts have more than `most` bytes together: the framework looks at each of them alone.
 */
export async function readParts(parts: AsyncIterable<Part>, most: number): Promise<FormValues> {
  const values = new Map<string, unknown[]>()
  let size = 0
  try {
    for await (const part of parts) {
      const value = part.type === 'file' ? await readFile(part) : String(part.value)
      size += typeof value === 'string' ? Buffer.byteLength(value) : value.bytes.length
      if (size > most) throw new ApiError({ kind: 'tooLarge', limit: most })
      addTo(values, part.fieldname, value)
    }
  } catch (error) {
    throw error instanceof ApiError || isOfFramework(error) ? error : brokenForm()
  }
  return values
}

function addTo(values: Map<string, unknown[]>, name: string, value: unknown): void {
  const given = values.get(name)
  if (given) given.push(value)
  else values.set(name, [value])
}

/** Limits are the framework's own errors; whatever else the parser throws is about a form that is none. */
const isOfFramework = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_')

const brokenForm = (): ApiError =>
  new ApiError({ kind: 'malformed', detail: 'The form is broken: its parts cannot be told apart.' })

/** The fields of a form as browsers send it where there are no files. Throws `malformed` for more than `most`. */
export function readUrlEncoded(bytes: Uint8Array, most: number): FormValues {
  const text = new TextDecoder().decode(bytes)
  checkParameters(text, most)
  const values = new Map<string, unknown[]>()
  for (const [name, value] of new URLSearchParams(text)) addTo(values, name, value)
  return values
}

/**
 * A form as the object that JSON would have been: texts are parsed by the fields as they are, except
 * for documents and for fields that hold several values, whose name is repeated.
 */
export const objectOf = (values: FormValues, model: Model | undefined): Record<string, unknown> =>
  Object.fromEntries(
    [...values]
      .filter(([name]) => name !== CSRF_FIELD)
      .map(([name, given]) => [name, formValue(model?.fields.get(name), given)]),
  )

async function readFile(part: MultipartFile): Promise<UploadedFile> {
  return new UploadedFile(part.filename, await part.toBuffer())
}

const SEVERAL: ReadonlySet<Field['kind']> = new Set(['manyToMany', 'list', 'objectTypes', 'tags'])
const DOCUMENTS: ReadonlySet<Field['kind']> = new Set(['json', 'customFields'])

function formValue(field: Field | undefined, given: readonly unknown[]): unknown {
  if (field && SEVERAL.has(field.kind)) return given
  const last = given.at(-1)
  if (field && DOCUMENTS.has(field.kind) && typeof last === 'string') return parseDocument(last)
  return last
}

function parseDocument(text: string): unknown {
  checkDepth(Buffer.from(text))
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError({ kind: 'malformed', detail: 'A part of the form is not valid JSON.' })
  }
}

import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import { ApiError, codeOf } from '../../base/errors.ts'
import type { Field } from '../../schema/field.ts'
import { parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import type { FormValues } from './body.ts'
import { checkDepth, checkParameters } from './limits.ts'

/** Form field with the CSRF token; its name is Django's. */
export const CSRF_FIELD = 'csrfmiddlewaretoken'

type Part = MultipartFile | MultipartValue

/**
 * Fields of a multipart form, including files. Throws `malformed` for an invalid form, and `tooLarge` if its parts have
 * more than `most` bytes in total: the framework limits only each single part.
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
  const inputs = values.get(name)
  if (inputs) inputs.push(value)
  else values.set(name, [value])
}

/** Limits are errors of the framework; all other errors of the parser mean that the form is invalid. */
const isOfFramework = (error: unknown): boolean => String(codeOf(error)).startsWith('FST_')

const brokenForm = (): ApiError => new ApiError({ kind: 'malformed', detail: 'The multipart form is malformed.' })

/** Fields of a URL-encoded form. Throws `malformed` for more than `most` fields. */
export function readUrlEncoded(bytes: Uint8Array, most: number): FormValues {
  const text = new TextDecoder().decode(bytes)
  checkParameters(text, most)
  const values = new Map<string, unknown[]>()
  for (const [name, value] of new URLSearchParams(text)) addTo(values, name, value)
  return values
}

/**
 * A form as the equivalent JSON object. Texts stay texts, which the fields parse; documents are parsed here, and fields
 * with several values collect all values of their name.
 */
export const objectOf = (values: FormValues, model: Model | undefined): Record<string, unknown> =>
  Object.fromEntries(
    [...values]
      .filter(([name]) => name !== CSRF_FIELD)
      .map(([name, inputs]) => [name, formValue(model?.fields.get(name), inputs)]),
  )

async function readFile(file: MultipartFile): Promise<UploadedFile> {
  return new UploadedFile(file.filename, await file.toBuffer())
}

const SEVERAL: ReadonlySet<Field['kind']> = new Set(['manyToMany', 'list', 'objectTypes', 'tags'])
const DOCUMENTS: ReadonlySet<Field['kind']> = new Set(['json', 'customFields'])

function formValue(field: Field | undefined, inputs: readonly unknown[]): unknown {
  if (field && SEVERAL.has(field.kind)) return inputs
  const last = inputs.at(-1)
  if (field && DOCUMENTS.has(field.kind) && typeof last === 'string') return parseDocument(last)
  return last
}

function parseDocument(text: string): unknown {
  checkDepth(Buffer.from(text))
  try {
    return parseJson(text)
  } catch {
    throw new ApiError({ kind: 'malformed', detail: 'A part of the form is not valid JSON.' })
  }
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Bytes that a form may have: its texts, and all of it with its files. */
interface FormLimits {
  readonly texts: number
  readonly total: number
}

/**
 * Fields of a multipart form, including files. Large files are written to the disk; `claim` gets the path of each, and
 * deletes it after the response. Throws `malformed` for an invalid form, and `tooLarge` if its parts have more bytes in
 * total than allowed: the framework limits only each single part.
 */
export async function readParts(
  parts: AsyncIterable<Part>,
  limits: FormLimits,
  claim: (path: string) => void,
): Promise<FormValues> {
  const values = new Map<string, unknown[]>()
  const left = { ...limits }
  try {
    for await (const part of parts) {
      const value = part.type === 'file' ? await readFile(part, left.total, claim) : String(part.value)
      const size = typeof value === 'string' ? Buffer.byteLength(value) : value.size
      left.total -= size
      if (typeof value === 'string') left.texts -= size
      if (left.texts < 0) throw new ApiError({ kind: 'tooLarge', limit: limits.texts })
      // The framework ends a part at its limit.
      const isTruncated = part.type === 'file' ? part.file.truncated : part.valueTruncated
      if (left.total < 0 || isTruncated) throw new ApiError({ kind: 'tooLarge', limit: limits.total })
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

/** Bytes of the largest file that is kept in memory. */
const IN_MEMORY = 1_048_576

/** Stops reading after `most` bytes. The type of the framework says nothing of files without a name. */
async function readFile(
  { filename = '', file }: MultipartFile,
  most: number,
  claim: (path: string) => void,
): Promise<UploadedFile> {
  const path = join(tmpdir(), `cadastre-upload-${randomUUID()}`)
  let chunks: Uint8Array[] = []
  let size = 0
  let disk: FileHandle | undefined
  try {
    for await (const chunk of file) {
      size += chunk.length
      chunks.push(chunk)
      if (size > most) break
      if (!disk && size > IN_MEMORY) {
        disk = await open(path, 'wx', 0o600)
        claim(path)
      }
      if (disk) {
        await disk.writeFile(Buffer.concat(chunks))
        chunks = []
      }
    }
  } finally {
    await disk?.close()
  }
  return new UploadedFile(filename, disk ? { path, size } : Buffer.concat(chunks))
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

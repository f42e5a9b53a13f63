import { ApiError } from '../../base/errors.ts'
import { mayBeInexact, parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { typedBody } from '../../write/parse/typed-body.ts'
import { checkDepth } from './limits.ts'

/** The body of a request, read on demand, because permissions are checked first. */
export interface RequestBody {
  /**
   * The parsed document; undefined without a body. A form becomes an object, with lists for those fields of the model
   * that hold several values. Its numbers are JavaScript numbers, except in documents and custom fields of the model,
   * and in a whole document read as `exact`. Throws `malformed` and `unsupportedMediaType`.
   */
  read(model?: Model | 'exact'): Promise<unknown>
  /** Form values by name, in order; undefined if the body is not a form. */
  form(): Promise<FormValues | undefined>
}

/** The body of an internal request: a document that is already parsed. */
export const parsedBody = (document: unknown): RequestBody => ({
  read: async (model) => (typeof model === 'object' ? typedBody(model, document) : document),
  form: async () => undefined,
})

/** Values are texts, and files of multipart forms. */
export type FormValues = ReadonlyMap<string, readonly unknown[]>

/**
 * Parses a JSON document. Its numbers are exact in documents and custom fields of the model, or everywhere. Throws `malformed`.
 */
export function parseJsonBody(bytes: Uint8Array, model: Model | 'exact' | undefined): unknown {
  checkDepth(bytes)
  try {
    const text = UTF8.decode(bytes)
    if (model === undefined || !mayBeInexact(text)) return JSON.parse(text)
    const document = parseJson(text)
    return model === 'exact' ? document : typedBody(model, document)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ApiError({ kind: 'malformed', detail: `JSON parse error - ${why}` })
  }
}

// Fatal: a body in another encoding must be refused, not decoded into replacement characters.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

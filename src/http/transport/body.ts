import { ApiError } from '../../errors.ts'
import type { Model } from '../../schema/registry.ts'
import { checkDepth } from './limits.ts'

/** The body of a request, read on demand: permissions are checked first. */
export interface RequestBody {
  /**
   * The parsed document; undefined without a body. A form becomes an object, with lists for those fields of the model
   * that hold several values. Throws `malformed` and `unsupportedMediaType`.
   */
  read(model?: Model): Promise<unknown>
  /** Form values by name, in order; undefined where the body is not a form. */
  form(): Promise<FormValues | undefined>
}

/** Values are texts, and files of multipart forms. */
export type FormValues = ReadonlyMap<string, readonly unknown[]>

/** Parses a JSON document. Throws `malformed`. */
export function parseJson(bytes: Uint8Array): unknown {
  checkDepth(bytes)
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ApiError({ kind: 'malformed', detail: `JSON parse error - ${why}` })
  }
}

// Fatal: a body in another encoding must be refused, not decoded into replacement characters.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

import { ApiError } from '../../errors.ts'
import type { Model } from '../../schema/registry.ts'
import { checkDepth } from './limits.ts'

/** The body of a request, read when somebody asks for it: first of all it is decided who may ask. */
export interface RequestBody {
  /**
   * The parsed document; undefined where there is no body. A form becomes an object, with lists for those
   * fields of the model that hold several values. Throws `malformed` and `unsupportedMediaType`.
   */
  read(model?: Model): Promise<unknown>
  /** What the fields of a form hold, by name and in their order; undefined where the body is no form. */
  form(): Promise<FormValues | undefined>
}

/** Texts, and files where the form brings some. */
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

// Fatal: a body in another encoding must not be taken for one with strange characters.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

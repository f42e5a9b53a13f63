/**
 * Messages of a refused body: string or list of strings by field, nested for nested documents, or a list parallel to a
 * bulk request.
 */
export type Messages = string | readonly Messages[] | { readonly [field: string]: Messages }

/** The errors of one entry of a list: by its position, or by the id of the object that it names. */
export type EntryErrors = { readonly errors: Messages } & ({ readonly index: number } | { readonly id: number })

/** The errors of a list as API version 4.7 shows them: `detail` is about the whole list. */
export interface ListErrors {
  readonly detail: string
  readonly errors?: readonly EntryErrors[]
}

/** Every way in which a request can be refused. `api/errors.ts` defines the response to each. */
export type Reason =
  /** `list`: the request was about a list of objects; `messages` are then those of API version 4.6. */
  | { readonly kind: 'invalid'; readonly messages: Messages; readonly list?: ListErrors | undefined }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'unauthenticated'; readonly detail: string }
  | { readonly kind: 'forbidden'; readonly detail: string; readonly missing?: MissingPermission | undefined }
  | { readonly kind: 'notFound'; readonly detail: string }
  | {
      readonly kind: 'methodNotAllowed'
      readonly method: string
      readonly allowed: readonly string[]
    }
  /** `refused`: what cannot be satisfied. */
  | { readonly kind: 'notAcceptable'; readonly refused: 'mediaType' | 'version' }
  /**
   * `objects`: the objects that cannot be deleted, as `app.model` and id; `referring`: visible objects that need them,
   * by `app.model`. `list`: a list of objects was to be deleted.
   */
  | {
      readonly kind: 'inUse'
      readonly detail: string
      readonly objects?: readonly { readonly model: string; readonly id: number }[]
      readonly referring?: ReadonlyMap<string, readonly number[]>
      readonly hasHiddenReferrers?: boolean
      readonly list?: ListErrors
    }
  /** An undo would overwrite or lose something; `conflicts` are JSON objects, one for each reason. */
  | { readonly kind: 'conflict'; readonly detail: string; readonly conflicts: readonly object[] }
  /** The requested position of the event stream has been deleted; `resumeAfter` is the first one still available. */
  | { readonly kind: 'gone'; readonly detail: string; readonly resumeAfter: number }
  | { readonly kind: 'exhausted'; readonly detail: string }
  | { readonly kind: 'preconditionFailed'; readonly etag: string | undefined }
  | { readonly kind: 'keyReused'; readonly detail: string }
  | { readonly kind: 'tooLarge'; readonly limit: number }
  | { readonly kind: 'unsupportedMediaType'; readonly mediaType: string }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable'; readonly detail: string }
  | { readonly kind: 'storageFull'; readonly detail: string }

/** A refusal that the client caused or must know about. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly reason: Reason

  constructor(reason: Reason) {
    super('detail' in reason ? reason.detail : reason.kind)
    this.reason = reason
  }
}

/** The permission that the user would need; `model`: its name. Pages name it; responses do not contain it. */
interface MissingPermission {
  readonly action: string
  readonly model: string
}

/** Refusal of a body or of parameters, by field. */
export const invalid = (messages: Messages, list?: ListErrors): ApiError =>
  new ApiError({ kind: 'invalid', messages, list })
/** The errors of some of `total` entries, which therefore could not be `done`: `created`, `found`. */
export const listErrors = (done: string, total: number, errors: readonly EntryErrors[]): ListErrors => ({
  detail: `${errors.length} of ${total} objects could not be ${done}.`,
  errors,
})
/**
 * Refusal of a list of objects: `messages` has an entry for each, undefined if that object has no errors. `earlier`
 * is the form of API version 4.6.
 */
export const invalidList = (
  done: string,
  messages: readonly (Messages | undefined)[],
  earlier: Messages = messages.map((errors) => errors ?? {}),
): ApiError => {
  const entries = messages.flatMap((errors, index) => (errors === undefined ? [] : [{ index, errors }]))
  return invalid(earlier, listErrors(done, messages.length, entries))
}
export const notFound = (model: string): ApiError =>
  new ApiError({ kind: 'notFound', detail: `No ${model} matches the given query.` })
/** The refusal of a request with more objects than `most`, the limit of the configuration. */
export const tooManyObjects = (count: number, most: number): ApiError =>
  new ApiError({
    kind: 'malformed',
    detail: `A request may have at most ${most} objects; this one has ${count}.`,
  })
export const forbidden = (
  detail = 'You do not have permission to perform this action.',
  missing?: MissingPermission,
): ApiError => new ApiError({ kind: 'forbidden', detail, missing })

/** The configuration keeps the service from starting; the message says what to change. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** The code of an error of the operating system or of Node.js, such as `ENOENT`; undefined for any other error. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

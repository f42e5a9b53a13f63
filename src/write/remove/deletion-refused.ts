import { ApiError } from '../../errors.ts'
import type { ObjectReference } from '../parse/related-object.ts'

/** A rule of the model or of the configuration refuses the deletion of the object. */
export class DeletionRefused extends ApiError {
  readonly object: ObjectReference

  constructor(object: ObjectReference, detail: string) {
    super({ kind: 'inUse', detail })
    this.object = object
  }
}

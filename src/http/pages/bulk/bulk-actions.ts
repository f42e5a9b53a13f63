import type { Model } from '../../../schema/registry.ts'
import type { ApiRequest } from '../../api-request.ts'

/** An action on several objects of a list: its label and the address of its page. */
export interface BulkAction {
  readonly label: string
  readonly action: string
  readonly isDangerous?: boolean
}

/** Actions that the sender may perform on several objects of the model at once. */
export const bulkActions = (_request: ApiRequest, _model: Model): readonly BulkAction[] => []

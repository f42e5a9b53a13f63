import type { RegisteredModel } from '../../schema/view.ts'
import { customObjectFieldModel } from './custom-object-field.view.ts'
import { customObjectTypeModel } from './custom-object-type.view.ts'

/** The models with which users define models of their own. */
export const CUSTOM_OBJECT_MODELS: readonly RegisteredModel[] = [customObjectTypeModel, customObjectFieldModel]

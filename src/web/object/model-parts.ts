import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Content } from '../components/html.ts'
import { attemptsPart } from './attempts-part.ts'
import { changePart } from './change-part.ts'
import { filePart } from './file-part.ts'

type Part = (request: ApiRequest, model: Model, object: JsonObject) => Content | Promise<Content>

/** Parts of the pages of single models of the system, below the panels. */
const PARTS: Readonly<Record<string, Part>> = {
  [SYSTEM.objectChange]: changePart,
  [SYSTEM.dataFile]: (request, _model, object) => filePart(request, object),
  [SYSTEM.webhookDelivery]: (_request, _model, object) => attemptsPart(object),
}

/** The part of an object's page that only its model has. */
export const modelPart = async (
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<Content> => await PARTS[model.name]?.(request, model, object)

import { dataSource } from '../../models/core/data-source.ts'
import { SYNCED_MODELS } from '../../models/extras/synced-models.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { synchroniseSources } from './core/synchronise-source.ts'
import { synchroniseObjects } from './extras/synchronise.ts'

/**
 * Performs the model's action `sync` for several objects; all or none. Throws `invalid`. The sender's permissions for
 * the objects are not checked.
 */
export async function synchroniseSeveral(
  request: Pick<ApiRequest, 'service' | 'actor' | 'id' | 'method' | 'url'>,
  model: Model,
  ids: readonly number[],
): Promise<void> {
  const synced = SYNCED_MODELS.find((candidate) => candidate.model.name === model.name)
  if (synced) await synchroniseObjects(request, synced, ids)
  else if (model.name === dataSource.name) await synchroniseSources(request, ids)
  else throw new Error(`${model.name} has an action sync for single objects only`)
}

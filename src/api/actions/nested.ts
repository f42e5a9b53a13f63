import { withBase } from '../../read/serialise/base.ts'
import { nestedOf } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { ApiRequest } from '../api-request.ts'

/** JSON text of an object as its model's nested projection; `null` without an id. */
export async function nestedText({ service, base }: ApiRequest, model: string, id: number | null): Promise<string> {
  if (id === null) return 'null'
  const texts = await nestedOf(committedData(service), service.registry.model(model), [id])
  return withBase(texts.get(id) ?? 'null', base)
}

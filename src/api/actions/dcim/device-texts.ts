import { withBase } from '../../../read/serialise/base.ts'
import { nestedOf } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject } from '../../../schema/json.ts'
import type { ApiRequest } from '../../api-request.ts'

/** JSON texts of devices as related objects; the user must be allowed to view the devices. */
export async function nestedDevices(
  { service, base }: Pick<ApiRequest, 'service' | 'base'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const model = service.registry.model('dcim.device')
  const texts = await nestedOf(committedData(service), model, ids)
  return new Map(
    ids.flatMap((id) => {
      const text = texts.get(id)
      return text === undefined ? [] : [[id, withBase(text, base)] as const]
    }),
  )
}

/** The display name in the JSON text of an object; undefined if the text is `null`. */
export function displayInText(text: string): string | undefined {
  const object: unknown = JSON.parse(text)
  return isJsonObject(object) ? String(object.display) : undefined
}

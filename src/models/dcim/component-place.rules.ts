import type { Read } from '../../schema/rule.ts'
import { device } from './device.ts'

/** Sets the place of a component from its device. NetBox 4.6.8 ComponentModel.save. */
export async function fillComponentPlace({
  next,
  read,
}: {
  readonly next: { readonly device: number }
  readonly read: Read
}): Promise<{ _site: number; _location: number | null; _rack: number | null }> {
  const holder = await read.get(device, next.device)
  return { _site: holder.site, _location: holder.location, _rack: holder.rack }
}

import { isCableable } from '../../models/dcim/cabling/cable-end-types.ts'
import { isVirtual, isWireless } from '../../models/dcim/interface-kind.ts'

/** Whether a cable may end at objects of the model; of interfaces, `type` decides as well. */
export const takesCable = (model: string, type: string | undefined): boolean =>
  isCableable(model) && (type === undefined || !(isVirtual(type) || isWireless(type)))

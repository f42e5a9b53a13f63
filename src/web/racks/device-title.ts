import type { MountedDevice } from '../../api/actions/dcim/rack-contents.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** Name, model, role, state and place of a device in one line, in the language of the page. */
export const deviceTitle = ({
  label,
  role,
  type,
  status,
  serial,
  asset_tag: tag,
  position,
  height,
}: MountedDevice & { readonly label: string }): string =>
  [
    label,
    type,
    `${role}, ${translateLabel(status)}`,
    `${translate('U{position}', { position })}, ${translate('{height} U', { height })}`,
    serial && `${translateLabel('Serial number')} ${serial}`,
    tag && `${translateLabel('Asset tag')} ${tag}`,
  ]
    .filter(Boolean)
    .join(' · ')

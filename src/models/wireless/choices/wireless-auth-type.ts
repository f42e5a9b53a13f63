import { choices } from '../../../schema/choices.ts'

/** Values of wireless Auth Type. */
export const wirelessAuthType = choices([
  ['open', 'Open'],
  ['wep', 'WEP'],
  ['wpa-personal', 'WPA Personal (PSK)'],
  ['wpa-enterprise', 'WPA Enterprise'],
])

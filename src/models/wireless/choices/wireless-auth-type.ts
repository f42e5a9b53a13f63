import { choices } from '../../../schema/choices.ts'

/** Authentication types of a wireless network. */
export const wirelessAuthType = choices([
  ['open', 'Open'],
  ['wep', 'WEP'],
  ['wpa-personal', 'WPA Personal (PSK)'],
  ['wpa-enterprise', 'WPA Enterprise'],
])

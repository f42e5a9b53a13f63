import { choices } from '../../schema/choices.ts'

/** Authentication types of a wireless network. */
export const wirelessAuthType = choices([
  ['open', 'Open'],
  ['wep', 'WEP'],
  ['wpa-personal', 'WPA Personal (PSK)'],
  ['wpa-enterprise', 'WPA Enterprise'],
])

/** Ciphers of a wireless network. */
export const wirelessAuthCipher = choices([
  ['auto', 'Auto'],
  ['tkip', 'TKIP'],
  ['aes', 'AES'],
])

/** Roles of a wireless interface. */
export const wirelessRole = choices([
  ['ap', 'Access point'],
  ['station', 'Station'],
])

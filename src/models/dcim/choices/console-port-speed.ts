import { choices } from '../../../schema/choices.ts'

/** Speeds of a console port, in bits per second. */
export const consolePortSpeed = choices([
  [1200, '1200 bps'],
  [2400, '2400 bps'],
  [4800, '4800 bps'],
  [9600, '9600 bps'],
  [19200, '19.2 kbps'],
  [38400, '38.4 kbps'],
  [57600, '57.6 kbps'],
  [115200, '115.2 kbps'],
])

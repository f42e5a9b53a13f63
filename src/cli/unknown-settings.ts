import { unknownSettings } from '../config/unknown-settings.ts'

/** Warns of each environment variable of this process that looks like a misspelt setting. */
export function warnOfUnknownSettings(warn: (sentence: string) => void): void {
  for (const sentence of unknownSettings(process.env)) warn(sentence)
}

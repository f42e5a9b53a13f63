import type { DateField, DateTimeField } from '../../schema/field.ts'
import { isDate, parseMoment, toUtc } from '../../schema/moment.ts'
import { accept, type Outcome, refuse } from '../outcome.ts'

export function parseDateField(_field: DateField<unknown>, input: unknown): Outcome {
  return typeof input === 'string' && isDate(input.trim())
    ? accept(input.trim())
    : refuse('Enter a date as YYYY-MM-DD.')
}

export function parseDateTimeField(_field: DateTimeField<unknown>, input: unknown): Outcome {
  const moment = typeof input === 'string' ? parseMoment(input) : undefined
  const utc = moment && toUtc(moment)
  return utc === undefined
    ? refuse('Enter date and time as YYYY-MM-DDThh:mm:ss, with Z or an offset.')
    : accept(utc)
}

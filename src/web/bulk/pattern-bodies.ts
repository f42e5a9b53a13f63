import { invalid } from '../../errors.ts'
import type { BulkAdd } from '../../schema/view.ts'
import type { BodyValue, FormBody } from '../forms/form-body.ts'
import { translate } from '../texts/translate.ts'
import { expandValue, type PatternFault } from './expand-value.ts'

/** A body for each value of the pattern. Throws `invalid` for a pattern that cannot be used; `most` bodies at most. */
export function patternBodies(
  { field, pattern, namedIn = [] }: BulkAdd,
  body: FormBody['body'],
  most: number,
): readonly FormBody['body'][] {
  const values = expandValue(pattern, String(body[field] ?? ''), most)
  if (typeof values === 'string') throw invalid({ [field]: [sentenceOf(values, most)] })
  return values.map((value) => ({
    ...body,
    ...Object.fromEntries(namedIn.map((name) => [name, named(body[name], field, value)])),
    [field]: pattern === 'numbers' ? Number(value) : value,
  }))
}

const named = (text: BodyValue | undefined, field: string, value: string): BodyValue =>
  typeof text === 'string' ? text.replaceAll(`{${field}}`, value) : (text ?? '')

const sentenceOf = (fault: PatternFault, most: number): string =>
  fault === 'tooMany'
    ? translate('The pattern stands for more than {count} objects.', { count: most })
    : translate('This pattern cannot be read.')

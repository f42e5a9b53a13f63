import type { FormValues } from '../../api/transport/body.ts'
import type { Control } from '../components/control.ts'
import { translate } from '../texts/translate.ts'
import type { Cascade } from './cascade.ts'
import { textIn } from './form-texts.ts'

/** A deletion that takes more than this many others along has to be confirmed by a text that the user types. */
const MOST_UNTYPED = 100

const FIELD = 'confirmation'

/** Whether the deletion of `count` objects affects so many others that a click is not enough. */
export function needsTyping({ deleted, lost }: Cascade, count: number): boolean {
  const sizes = [
    ...[...deleted.values(), ...lost.objects.values()].map(({ size }) => size),
    ...lost.values.map(({ ids }) => ids.length),
  ]
  return sizes.reduce((sum, size) => sum + size, -count) > MOST_UNTYPED
}

/** The control in which the user types `expected`. */
export const confirmationControl = (expected: string, error?: string): Control => ({
  name: FIELD,
  label: translate('Confirmation'),
  help: translate('Many objects are affected. To confirm, type: {text}', { text: expected }),
  isRequired: true,
  ...(error !== undefined && { errors: [error] }),
  input: { kind: 'text', type: 'text', value: '' },
  sentAs: 'text',
})

/** What is wrong with the text that the user has typed; undefined if it is the expected one. */
export const typingProblem = (form: FormValues, expected: string): string | undefined =>
  plain(textIn(form, FIELD)) === plain(expected)
    ? undefined
    : translate('Nothing was deleted: the text is not “{text}”.', { text: expected })

/** People do not see how much space is between words. */
const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

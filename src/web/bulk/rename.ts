import { linearExpression } from '../../schema/linear-expression.ts'
import { translate } from '../texts/translate.ts'

/** Find and replace in names. */
interface Replacement {
  readonly find: string
  readonly replace: string
  /** `find` is a regular expression; `\1` in `replace` is its first group. */
  readonly isExpression: boolean
}

/** Returns a function that makes new names; or a text that says why the replacement cannot be used. */
export function renamer({ find, replace, isExpression }: Replacement): string | ((name: string) => string) {
  if (find === '') return translate('Enter what to find.')
  if (!isExpression) return (name) => name.replaceAll(find, () => replace)
  const expression = linearExpression(find)
  if (!expression) return translate('This regular expression cannot be used here.')
  return (name) => expression.replaceAll(name, (groups) => filledIn(replace, groups))
}

/** The replacement with the texts of the groups in place of `\1`, `\g<1>` and `\g<name>`. */
const filledIn = (replace: string, groups: (name: string) => string): string =>
  replace.replaceAll(
    /\\(?:g<(\w+)>|(\d{1,2})|(\\))/g,
    (_written, name?: string, number?: string, backslash?: string) => backslash ?? groups(name ?? number ?? '0'),
  )

import type { Rule } from '../../schema/rule.ts'
import type { user } from './user.ts'

type UserRule = Rule<typeof user.fields>
/** The texts to which a password must not be similar. */
type Names = Pick<Parameters<UserRule>[0]['next'], 'username' | 'first_name' | 'last_name' | 'email'>
type PasswordPolicy = Parameters<UserRule>[0]['settings']['authPasswordValidators']

/** Common passwords in lower case; loaded when the first password is set. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
let common: Promise<ReadonlySet<string>> | undefined

const isCommon = async (password: string): Promise<boolean> => {
  common ??= commonPasswords()
  return (await common).has(password.trim().toLowerCase())
}

/** Shorter parts of a name occur in many passwords by chance. */
const SHORTEST_PART = 4

/** Whether the password contains the user's name, or vice versa, in part or as a whole. */
function isSimilar(password: string, row: Names): boolean {
  const secret = password.toLowerCase()
  return [row.username, row.first_name, row.last_name, row.email]
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .map((text) => text.toLowerCase())
    .some((text) => text.length >= SHORTEST_PART && (secret.includes(text) || text.includes(secret)))
}

/** Checks a password in a body against the configured policy; stored passwords stay valid. */
export const passwordIsAcceptable: UserRule = async ({ next, sent, settings }) => {
  if (!sent.has('password')) return
  const problems = await passwordProblems(next.password, next, settings.authPasswordValidators)
  return problems.length > 0 ? { password: problems } : undefined
}

/** Messages about a new password of this user that violates the policy; empty if it complies. */
export async function passwordProblems(
  password: string,
  user: Names,
  policy: PasswordPolicy,
): Promise<readonly string[]> {
  const problems: string[] = []
  if ([...password].length < policy.shortest) {
    problems.push(`Use at least ${policy.shortest} characters.`)
  }
  if (policy.needsMixture) {
    if (!/\p{Nd}/u.test(password)) problems.push('Use at least one digit.')
    if (!/\p{Lu}/u.test(password)) problems.push('Use at least one capital letter.')
    if (!/\p{Ll}/u.test(password)) problems.push('Use at least one small letter.')
  }
  if (policy.refusesNumeric && /^\p{Nd}*$/u.test(password)) {
    problems.push('Do not use only digits in the password.')
  }
  if (policy.refusesSimilar && isSimilar(password, user)) {
    problems.push('Do not use your name or e-mail address in the password.')
  }
  if (policy.refusesCommon && (await isCommon(password))) {
    problems.push('This password is too common.')
  }
  return problems
}

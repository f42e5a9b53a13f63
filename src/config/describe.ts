import { DECLARATIONS, type Declaration } from './settings.ts'

/** A default in the notation of the environment. */
function writtenDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return ''
  if (value === '') return ''
  return typeof value === 'object' ? 'see below' : `\`${String(value)}\``
}

const row = ({ name, type, help, secret, default: value }: Declaration<unknown>): string =>
  `| \`${name}\` | ${writtenDefault(value)} | ${help}${secret ? ' (secret)' : ''} | ${type.expects} |`

/** All settings as a Markdown page; docs/configuration.md is this text. */
export function describeConfiguration(): string {
  const rows = Object.values<Declaration<unknown>>(DECLARATIONS).map(row)
  return `# Configuration

Environment variables. A wrong value stops the start with one sentence; a variable that is set to nothing counts as
not set. This page is printed by \`npm run cadastre -- configuration\`. [migrate-from-netbox.md](migrate-from-netbox.md#settings-of-netbox)
lists the parameters of NetBox that have no effect here.

| name | default | what it does | value |
|---|---|---|---|
${rows.join('\n')}

\`DEFAULT_PERMISSIONS\` lets every signed-in user manage bookmarks, notifications, subscriptions and API tokens of their
own; overriding it can take that away.

\`AUTH_PASSWORD_VALIDATORS\` asks for 12 characters at least, with a digit, a capital and a small letter, and refuses
passwords that many people have. A list of one's own takes the place of all that:
\`[{"NAME": "MinimumLengthValidator", "OPTIONS": {"min_length": 16}}, {"NAME": "CommonPasswordValidator"}]\`.
`
}

/**
 * Permissions of every signed-in user, in addition to their own: constraints by `<app>.<action>_<model>`. `$user` means
 * the user of the request.
 */
export type DefaultPermissions = Readonly<Record<string, readonly Constraint[]>>

/** Filters that an object must pass; the constraints of one permission are alternatives. */
export type Constraint = Readonly<Record<string, unknown>>

const OWN: readonly Constraint[] = [{ user: '$user' }]
const ACTIONS = ['view', 'add', 'change', 'delete']
const PERSONAL = ['extras.bookmark', 'extras.notification', 'extras.subscription', 'users.token']

/** NetBox 4.6.8, DEFAULT_PERMISSIONS: users manage their own bookmarks and tokens. */
export const DEFAULT_PERMISSIONS: DefaultPermissions = Object.fromEntries(
  PERSONAL.flatMap((name) => {
    const [app, model] = name.split('.')
    return ACTIONS.map((action) => [`${app}.${action}_${model}`, OWN])
  }),
)

import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import { boolean, choice, computed, dateTime, foreignKey, integer, list, text } from '../../schema/field.ts'
import { numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsText } from '../../schema/search-term.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

const tokenVersion = choices([
  [1, 'v1'],
  [2, 'v2'],
])

const apiVersion = choices([
  ['4.6', '4.6'],
  ['4.7', '4.7'],
])

/** Shown only in the response to its creation, whose body may contain it; api/endpoints/tokens.ts does both. */
const secret = computed({ type: 'string', nullable: true }, async () => new Map(), {
  input: () => ({ value: undefined }),
})

/** A key with which a program acts as a user. */
export const token = model({
  name: 'users.token',
  path: 'users/tokens',
  hasSecrets: true,
  labels: ['token', 'tokens'],
  about: 'A key with which a program uses the API.',

  fields: {
    // Version 2 only on request: clients of the specification expect version 1.
    version: choice(tokenVersion, { default: 1, bare: true, filter: 'single' }),
    key: text({ max: 40, nullable: true, unique: true, example: null }),
    user: foreignKey('users.user', { onDelete: 'cascade', related: 'tokens' }),
    description,
    created: dateTime({ readOnly: true, auto: 'insert' }),
    expires: dateTime({ nullable: true, example: null }),
    last_used: dateTime({ nullable: true }),
    enabled: boolean({ default: true }),
    write_enabled: boolean({ default: true }),
    plans_only: boolean({
      default: false,
      label: 'For an agent',
      help: 'The token writes only by plans at /mcp, which a person reviews, and never directly',
    }),
    observing: boolean({
      default: false,
      help: 'What the token writes is an observation, which is compared with the inventory. Needs the pack "observed"',
    }),
    api_version: choice(apiVersion, {
      nullable: true,
      example: null,
      label: 'API version',
      help: 'Version of the API for requests that name none; if empty, that of the service',
    }),
    branch: foreignKey('core.branch', {
      onDelete: 'cascade',
      related: '+',
      nullable: true,
      help: 'The only branch that the token reads and writes; without it the token is for main',
    }),
    pepper_id: integer({ size: 'small', range: [0, 32767], nullable: true, label: 'Pepper ID' }),
    allowed_ips: list('network', { nullable: true, blank: true, default: [], resetOnPut: true }),
    token: secret,
    digest: text({ max: 64, nullable: true, unique: true, hidden: true }),
    encrypted: text({ nullable: true, hidden: true }),
    _ending: text({ max: 6, default: '', hidden: true }),
  },

  display: (column) =>
    sql`case when ${column('version')} = 2 then ${column('key')} else repeat('*', 34) || ${column('_ending')} end`,
  graphql: false,
  namedOnly: ['plans_only', 'observing', 'api_version', 'branch'],
  brief: ['id', 'url', 'display', 'version', 'key', 'description', 'enabled', 'write_enabled'],
  order: ['-created'],
  search: ['user.username', 'description', equalsText('key')],

  filters: {
    created: numberFilter('created', 'dateTime', { plain: true, single: true }),
    expires: numberFilter('expires', 'dateTime', { plain: true, single: true }),
    last_used: numberFilter('last_used', 'dateTime', { plain: true, single: true }),
    user: related('user', 'users.user', 'username'),
    created__gte: numberFilter('created', 'dateTime', {
      plain: true,
      single: true,
      compare: 'gte',
    }),
    created__lte: numberFilter('created', 'dateTime', {
      plain: true,
      single: true,
      compare: 'lte',
    }),
    expires__gte: numberFilter('expires', 'dateTime', {
      plain: true,
      single: true,
      compare: 'gte',
    }),
    expires__lte: numberFilter('expires', 'dateTime', {
      plain: true,
      single: true,
      compare: 'lte',
    }),
    last_used__gte: numberFilter('last_used', 'dateTime', {
      plain: true,
      single: true,
      compare: 'gte',
    }),
    last_used__lte: numberFilter('last_used', 'dateTime', {
      plain: true,
      single: true,
      compare: 'lte',
    }),
  },
  actions: ['grant'],
})

export const tokenModel = registered(token, {
  columns: words('token version user enabled write_enabled description allowed_ips'),
  moreColumns: words('id plans_only observing pepper_id created expires last_used'),
  labels: { ...titled('write_enabled last_used'), token: 'token' },
  panels: words(`
    version key token pepper_id user description enabled write_enabled plans_only observing api_version branch expires last_used allowed_ips
  `),
  form: words(
    'version user enabled write_enabled plans_only observing api_version expires branch description allowed_ips',
  ),
  filters: { Token: words('version user_id enabled write_enabled plans_only observing expires last_used') },
  bulkEdit: { without: words('version user branch') },
  imports: words('user.id version token enabled write_enabled expires description'),
})

import { fieldGroup, modelView } from '../../schema/view.ts'

export const tokenView = modelView('users.token', {
  columns: ['token', 'version', 'user', 'enabled', 'write_enabled', 'description', 'allowed_ips'],
  moreColumns: ['id', 'pepper_id', 'created', 'expires', 'last_used'],
  labels: { token: 'token', write_enabled: 'Write Enabled', last_used: 'Last Used' },
  panels: [
    [
      fieldGroup(
        'Token',
        `
          version key token pepper_id user description enabled write_enabled expires last_used
          allowed_ips
        `,
      ),
    ],
  ],
  form: [fieldGroup('', 'version user enabled write_enabled expires description allowed_ips')],
  filters: [
    fieldGroup('Token', ['version', 'user_id', 'enabled', 'write_enabled', 'expires', 'last_used']),
  ],
  bulkEdit: [fieldGroup('', ['enabled', 'write_enabled', 'description', 'expires', 'allowed_ips'])],
  imports: ['user.id', 'version', 'token', 'enabled', 'write_enabled', 'expires', 'description'],
})

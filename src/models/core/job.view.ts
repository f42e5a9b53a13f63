import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const jobView = modelView('core.job', {
  columns: words('id object_type object name status created started completed user'),
  moreColumns: ['scheduled', 'interval', 'queue_name', 'log_entries', 'error', 'job_id'],
  labels: { object_type: 'Type', queue_name: 'Queue', log_entries: 'Log Entries' },
  panels: [
    [fieldGroup('Job', ['object_type', 'name', 'status', 'error', 'user'])],
    [fieldGroup('Scheduling', ['created', 'scheduled', 'started', 'completed', 'queue_name'])],
  ],
  part: 'job',
  filters: [
    fieldGroup('Attributes', ['object_type_id', 'status', 'queue_name']),
    fieldGroup(
      'Creation',
      `
        created__before created__after scheduled__before scheduled__after started__before
        started__after completed__before completed__after user
      `,
    ),
  ],
})

import type { Service } from '../../service.ts'

/** Whether this process runs jobs. Every job changes something, at least its own status, so there are none in maintenance mode. */
export const runsJobs = ({ settings }: Pick<Service, 'settings'>): boolean =>
  settings.jobWorkers > 0 && !settings.maintenanceMode

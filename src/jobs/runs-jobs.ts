import type { Settings } from '../config/settings.ts'

/** Whether this process runs jobs. Every job changes something, at least its own status, so there are none in maintenance mode. */
export const runsJobs = ({
  jobWorkers,
  maintenanceMode,
}: Pick<Settings, 'jobWorkers' | 'maintenanceMode'>): boolean => jobWorkers > 0 && !maintenanceMode

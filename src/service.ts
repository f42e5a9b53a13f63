import type { Clock } from './clock.ts'
import type { Settings } from './config/settings.ts'
import type { Registry } from './schema/registry.ts'
import type { Database } from './storage/database.ts'
import type { Memory } from './storage/memory.ts'

/** What every request works with; made once at the start. */
export interface Service {
  readonly registry: Registry
  readonly database: Database
  readonly memory: Memory
  readonly settings: Settings
  readonly clock: Clock
}

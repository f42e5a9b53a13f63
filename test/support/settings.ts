import { type Limits, readSettings, type Settings } from '../../src/config/settings.ts'

/** Variables of the environment, and limits by their names among the settings: `{ LOGIN_TIMEOUT: '60', maxBulkObjects: 3 }`. */
export type TestSettings = { readonly [name: Uppercase<string>]: string } & Partial<
  Limits & Pick<Settings, 'maxBulkObjects'>
>

/** The settings that result from these variables, with other limits if any are given. */
export function testSettings(given: TestSettings): Settings {
  const entries: readonly (readonly [string, string | number])[] = Object.entries(given)
  const environment = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  const limits = entries.filter(([, value]) => typeof value === 'number')
  // Most tests were written for the older version; the differences of the newer one have their own tests.
  return { ...readSettings({ API_VERSION: '4.6', ...Object.fromEntries(environment) }), ...Object.fromEntries(limits) }
}

import { expect, it } from 'vitest'
import { unknownSettings } from './unknown-settings.ts'

it.each([
  {
    name: 'SUPERUSER_PASWORD',
    says: 'SUPERUSER_PASWORD is not a setting. Did you mean SUPERUSER_PASSWORD?',
  },
  { name: 'DATADIR', says: 'DATADIR is not a setting. Did you mean DATA_DIR?' },
  { name: 'data_dir', says: 'data_dir is not a setting. Did you mean DATA_DIR?' },
  { name: 'PORTS', says: 'PORTS is not a setting. Did you mean PORT?' },
  {
    name: 'SUPERUSER_GARBAGE',
    says: 'SUPERUSER_GARBAGE is not a setting. The settings that begin with SUPERUSER_ are SUPERUSER_NAME, SUPERUSER_PASSWORD, SUPERUSER_API_TOKEN.',
  },
  {
    name: 'SESSION_COOKIE_LIFETIME',
    says: 'SESSION_COOKIE_LIFETIME is not a setting. The settings that begin with SESSION_COOKIE_ are SESSION_COOKIE_NAME, SESSION_COOKIE_SECURE.',
  },
])('$name is reported as a misspelt setting', ({ name, says }) => {
  expect(unknownSettings({ [name]: 'x' })).toEqual([says])
})

it.each([
  ...['PORT', 'HOME', 'HOSTNAME', 'SHELL', 'LOGNAME', 'PATH', 'TERM', 'IMPORT_TOKEN'],
  ...['SESSION_MANAGER', 'API_KEY', 'MAX_JOBS', 'REQUESTS_CA_BUNDLE', 'LOG_FILE', 'NODE_OPTIONS'],
])('%s is not reported as misspelt', (name) => {
  expect(unknownSettings({ [name]: 'x' })).toEqual([])
})

it('a variable that is set but empty is ignored', () => {
  expect(unknownSettings({ SUPERUSER_GARBAGE: '' })).toEqual([])
})

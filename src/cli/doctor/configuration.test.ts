import { expect, it } from 'vitest'
import { readSettings } from '../../config/settings.ts'
import { checkConfiguration } from './configuration.ts'

const DULL = 'ab'.repeat(30)
const BY_CHANCE = 'q3JhXv0Zk9cWmT7yLr2Bn5EdUs8GfPa1HiOwKx4MjQ6tVzCbRlSe'
const OPEN = { HOST: '0.0.0.0' }

it.each([
  { environment: {}, doubt: undefined },
  { environment: { SECRET_KEY: BY_CHANCE }, doubt: undefined },
  { environment: { SECRET_KEY: DULL }, doubt: 'SECRET_KEY repeats' },
  { environment: { API_TOKEN_PEPPERS: `{"1": "${DULL}"}` }, doubt: 'API_TOKEN_PEPPERS repeats' },
  { environment: { SUPERUSER_PASSWORD: 'admin' }, doubt: 'SUPERUSER_PASSWORD has fewer' },
  { environment: { SUPERUSER_PASSWORD: 'a-long-Passw0rd' }, doubt: undefined },
  { environment: { SUPERUSER_API_TOKEN: '0'.repeat(40) }, doubt: 'SUPERUSER_API_TOKEN is a well-known token' },
  { environment: { TRUST_PROXY: 'true' }, doubt: undefined },
  { environment: { ...OPEN, TRUST_PROXY: 'true' }, doubt: 'TRUST_PROXY is true' },
  { environment: { ...OPEN, TRUST_PROXY: '10.0.0.1' }, doubt: undefined },
  { environment: OPEN, doubt: 'no HTTPS proxy' },
  { environment: { HOST: '127.0.0.2' }, doubt: undefined },
  { environment: { EXEMPT_VIEW_PERMISSIONS: '*' }, doubt: undefined },
  {
    environment: { EXEMPT_VIEW_PERMISSIONS: '*', LOGIN_REQUIRED: 'false' },
    doubt: 'Anybody may read nearly everything',
  },
  { environment: { ALLOW_TOKEN_RETRIEVAL: 'true' }, doubt: 'ALLOW_TOKEN_RETRIEVAL' },
  { environment: { CORS_ORIGIN_ALLOW_ALL: 'true' }, doubt: 'CORS_ORIGIN_ALLOW_ALL' },
  { environment: { METRICS_LOGIN_REQUIRED: 'false' }, doubt: undefined },
  {
    environment: { METRICS_ENABLED: 'true', METRICS_LOGIN_REQUIRED: 'false' },
    doubt: 'Anybody may read /metrics',
  },
  { environment: { LOG_LEVEL: 'debug' }, doubt: 'LOG_LEVEL' },
  { environment: { MAINTENANCE_MODE: 'true' }, doubt: 'MAINTENANCE_MODE' },
  { environment: { DEMO: 'true' }, doubt: 'DEMO' },
  { environment: { DATABASE_URL: 'postgres://db.example/x' }, doubt: 'without sslmode' },
  {
    environment: { DATABASE_URL: 'postgres://db.example/x?sslmode=require' },
    doubt: undefined,
  },
  { environment: { DATABASE_URL: 'postgres://localhost/x' }, doubt: undefined },
  { environment: { DATABASE_URL: 'postgres:///x?host=/run/postgresql' }, doubt: undefined },
])('the warning about $environment: $doubt', ({ environment, doubt }) => {
  const findings = checkConfiguration(readSettings(environment))
  expect(findings).toEqual([
    doubt === undefined
      ? expect.objectContaining({ state: 'ok' })
      : expect.objectContaining({ state: 'warning', text: expect.stringContaining(doubt) }),
  ])
})

import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../base/errors.ts'
import { DECLARATIONS, readSettings } from './settings.ts'

const accepted = [
  {
    name: 'demands on passwords by the names of NetBox',
    environment: {
      AUTH_PASSWORD_VALIDATORS: JSON.stringify([
        {
          NAME: 'django.contrib.auth.password_validation.MinimumLengthValidator',
          OPTIONS: { min_length: 16 },
        },
        { NAME: 'utilities.password_validation.AlphanumericPasswordValidator' },
      ]),
    },
    expected: {
      authPasswordValidators: {
        shortest: 16,
        needsMixture: true,
        refusesCommon: false,
        refusesSimilar: false,
        refusesNumeric: false,
      },
    },
  },
  {
    name: 'nothing set',
    environment: {},
    expected: { port: 8000, databaseUrl: undefined, loginRequired: true },
  },
  {
    name: 'set to nothing',
    environment: { PORT: '', SECRET_KEY: ' ' },
    expected: { port: 8000, secretKey: undefined },
  },
  {
    name: 'numbers',
    environment: { PORT: '0', MAX_PAGE_SIZE: '0' },
    expected: { port: 0, maxPageSize: 0 },
  },
  {
    name: 'words for yes and no',
    environment: { DEMO: 'Yes', LOGIN_REQUIRED: 'off' },
    expected: { demo: true, loginRequired: false },
  },
  {
    name: 'a base path in any spelling',
    environment: { BASE_PATH: 'a/b/' },
    expected: { basePath: '/a/b' },
  },
  { name: 'an empty base path', environment: { BASE_PATH: '/' }, expected: { basePath: '' } },
  {
    name: 'a list with commas',
    environment: { EXEMPT_VIEW_PERMISSIONS: 'dcim.site, ipam.prefix' },
    expected: { exemptViewPermissions: ['dcim.site', 'ipam.prefix'] },
  },
  {
    name: 'a list in JSON',
    environment: { EXEMPT_VIEW_PERMISSIONS: '["*"]' },
    expected: { exemptViewPermissions: ['*'] },
  },
  { name: 'any proxy', environment: { TRUST_PROXY: 'true' }, expected: { trustProxy: true } },
  {
    name: 'some proxies',
    environment: { TRUST_PROXY: '10.0.0.0/8,::1' },
    expected: { trustProxy: ['10.0.0.0/8', '::1'] },
  },
  {
    name: 'peppers',
    environment: { API_TOKEN_PEPPERS: `{"2": "${'p'.repeat(50)}"}` },
    expected: { apiTokenPeppers: { 2: 'p'.repeat(50) } },
  },
]

const refused = [
  {
    environment: { EXEMPT_VIEW_PERMISSIONS: 'dcim.site,users.user' },
    sentence: /^EXEMPT_VIEW_PERMISSIONS must be models separated by commas, or \*; never .*users\.user/,
  },
  {
    environment: { AUTH_PASSWORD_VALIDATORS: '[{"NAME": "SecretValidator"}]' },
    sentence: /^AUTH_PASSWORD_VALIDATORS must be a JSON list/,
  },
  {
    environment: {
      AUTH_PASSWORD_VALIDATORS: '[{"NAME": "MinimumLengthValidator", "OPTIONS": {"min_length": "x"}}]',
    },
    sentence: /^AUTH_PASSWORD_VALIDATORS must be a JSON list/,
  },
  {
    environment: { CORS_ORIGIN_WHITELIST: 'tools' },
    sentence: /^CORS_ORIGIN_WHITELIST must be origins/,
  },
  {
    environment: { CORS_ORIGIN_REGEX_WHITELIST: '(' },
    sentence: /^CORS_ORIGIN_REGEX_WHITELIST must be/,
  },
  {
    environment: { PORT: '65536' },
    sentence: 'PORT must be a whole number from 0 to 65535, not "65536".',
  },
  {
    environment: { PORT: 'http' },
    sentence: 'PORT must be a whole number from 0 to 65535, not "http".',
  },
  { environment: { DEMO: 'maybe' }, sentence: 'DEMO must be true or false, not "maybe".' },
  { environment: { BASE_PATH: 'a b' }, sentence: /^BASE_PATH must be a path/ },
  {
    environment: { DATA_DIR: 's3://bucket' },
    sentence: 'DATA_DIR must be a directory, not "s3://bucket".',
  },
  { environment: { LOG_LEVEL: 'loud' }, sentence: /^LOG_LEVEL must be one of trace, debug/ },
  {
    environment: { DATABASE_URL: 'mysql://u:secret@h/d' },
    sentence: 'DATABASE_URL must be a URL that begins with postgres://.',
  },
  {
    environment: { SECRET_KEY: 'short' },
    sentence: 'SECRET_KEY must be at least 50 characters long, such as the output of: openssl rand -hex 32.',
  },
  {
    environment: { API_TOKEN_PEPPERS: '{"1": "short"}' },
    sentence: /^API_TOKEN_PEPPERS must be a JSON object[^"]*$/,
  },
  { environment: { API_TOKEN_PEPPERS: '{' }, sentence: /^API_TOKEN_PEPPERS must be/ },
  {
    environment: { SUPERUSER_API_TOKEN: 'abc' },
    sentence: 'SUPERUSER_API_TOKEN must be 40 letters and digits.',
  },
  { environment: { TRUST_PROXY: 'proxy.example' }, sentence: /^TRUST_PROXY must be true, false/ },
  {
    environment: { DEFAULT_PERMISSIONS: '{"a": 1}' },
    sentence: /^DEFAULT_PERMISSIONS must be a JSON object/,
  },
]

describe('readSettings', () => {
  it.each(accepted)('reads $name', ({ environment, expected }) => {
    expect(readSettings(environment)).toMatchObject(expected)
  })

  it.each(refused)('refuses $environment', ({ environment, sentence }) => {
    const read = () => readSettings(environment)
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(sentence)
  })

  it('lists every variable once, with an explanation', () => {
    const names = Object.values(DECLARATIONS).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { help } of Object.values(DECLARATIONS)) expect(help).not.toBe('')
  })
})

import { expect, it } from 'vitest'
import { serverUrls } from './server-urls.ts'

const cases = [
  { url: 'postgres://db', urls: ['postgres://db'], needsPrimary: false },
  {
    url: 'postgres://u:p%40@one:5432,two:5433/inventory?target_session_attrs=read-write&sslmode=require',
    urls: [
      'postgres://u:p%40@one:5432/inventory?sslmode=require',
      'postgres://u:p%40@two:5433/inventory?sslmode=require',
    ],
    needsPrimary: true,
  },
  {
    url: 'postgresql://u@[fd00::1]:5432,[fd00::2]/d?target_session_attrs=any',
    urls: ['postgresql://u@[fd00::1]:5432/d', 'postgresql://u@[fd00::2]/d'],
    needsPrimary: false,
  },
  {
    url: 'postgres://u@localhost/d?host=/run/postgresql',
    urls: ['postgres://u@localhost/d?host=/run/postgresql'],
    needsPrimary: false,
  },
]

it.each(cases)('$url names $urls', ({ url, urls, needsPrimary }) => {
  expect(serverUrls(url)).toEqual({ urls, needsPrimary })
})

it('an unsupported kind of session is refused with a list of the supported ones', () => {
  expect(() => serverUrls('postgres://db/d?target_session_attrs=standby')).toThrow(
    'target_session_attrs=standby cannot be used: it must be one of any, read-write, primary.',
  )
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { volatile } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'

describe('pages as of a point in time', () => {
  let api: Api
  let time: string
  let id: number
  beforeAll(async () => {
    api = await startApi()
    const site = await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Then', slug: 'then' } })
    id = Number(site.json.id)
    const [[now] = []] = await api.service.database.queryArrays(volatile`select clock_timestamp() from pg_sleep(0.002)`)
    time = String(now)
    await api.service.database.queryArrays(volatile`select pg_sleep(0.002)`)
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { name: 'Today' } })
  })
  afterAll(() => api.close())

  const page = async (path: string) => {
    const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
    return { status, text }
  }

  it.each(['/dcim/sites/', '/dcim/sites/{id}/'])('%s shows the object of then, and the time', async (path) => {
    const { status, text } = await page(`${path.replace('{id}', String(id))}?as_of=${time}`)
    expect(status).toBe(200)
    expect(text).toContain('Then')
    expect(text).not.toContain('Today')
    expect(text).toContain(`<strong>${time}</strong>`)
  })

  it('offer no link to a form that writes', async () => {
    for (const path of ['/dcim/sites/', `/dcim/sites/${id}/`]) {
      const { text } = await page(`${path}?as_of=${time}`)
      const main = text.slice(text.indexOf('<main'))
      expect(main).not.toMatch(/method="post"|\/edit\/|\/delete\/|\/add\//)
    }
  })

  it('link to other pages of the same time, and back to the present', async () => {
    const { text } = await page(`/dcim/sites/?as_of=${time}`)
    expect(text).toContain(`href="/dcim/sites/${id}/?as_of=${encodeURIComponent(time)}"`)
    expect(text).toMatch(/<a data-now href="\/dcim\/sites\/"/)
  })

  it('refuse forms, and times before the history begins, with an error page', async () => {
    const form = await page(`/dcim/sites/add/?as_of=${time}`)
    expect(form).toMatchObject({ status: 400, text: expect.stringContaining('<main') })
    const early = await page('/dcim/sites/?as_of=2001-01-01')
    expect(early).toMatchObject({
      status: 400,
      text: expect.stringContaining('The history begins at'),
    })
  })

  it('before the history link to the first known state of the object, and back to the present', async () => {
    const { text } = await page(`/dcim/sites/?name=Today&as_of=2001-01-01`)
    expect(text).toContain('href="/dcim/sites/?name=Today">Back to now')
    const [, first = ''] = /href="([^"]+as_of=[^"]+)">Show this time/.exec(text) ?? []
    expect((await page(first.replaceAll('&amp;', '&'))).status).toBe(200)
  })

  it.each([
    ...['add/', '{id}/edit/', '{id}/delete/', '{id}/journal/', '{id}/image-attachments/', 'import/'],
    ...['columns/', 'filters/', 'grid/'],
  ])('are not offered by the form %s', async (path) => {
    const { status, text } = await page(`/dcim/sites/${path.replace('{id}', String(id))}`)
    expect(status).toBe(200)
    expect(text).not.toContain('link-menu time-menu')
  })

  it.each(['', '{id}/', '{id}/changelog/', '{id}/contacts/'])('are offered by /dcim/sites/%s', async (path) => {
    const { text } = await page(`/dcim/sites/${path.replace('{id}', String(id))}`)
    expect(text).toContain('link-menu time-menu')
  })

  it('have a form for the time', async () => {
    const { text } = await page(`/dcim/sites/${id}/`)
    expect(text).toContain('name="as_of"')
  })
})

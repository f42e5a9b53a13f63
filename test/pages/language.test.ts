import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, signedInBrowser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('the language of the pages', () => {
  let api: Api
  let browser: Browser
  beforeAll(async () => {
    api = await startApi()
    browser = await signedInBrowser(api, 'alice', PASSWORD)
  })
  afterAll(() => api.close())

  const page = async (path: string, language?: string): Promise<string> => {
    const headers = { accept: 'text/html', ...(language && { 'accept-language': language }) }
    return (await api.ask('GET', path, { headers })).text
  }

  const prefer = (language: string) =>
    browser.visit('/user/preferences/', {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', per_page: '', language },
    })

  it.each([
    ['de-CH,de;q=0.9', 'de', 'Anmelden'],
    ['fr,en;q=0.5', 'en', 'Log in'],
    [undefined, 'en', 'Log in'],
  ])('is that of the browser: %s', async (accepted, language, text) => {
    const login = await page('/login/', accepted)
    expect(login).toContain(`<html lang="${language}"`)
    expect(login).toContain(`>${text}</button>`)
  })

  it('is that of the preferences, whatever the browser prefers', async () => {
    await prefer('de')
    const german = (await browser.visit('/user/profile/')).text
    expect(german).toContain('<html lang="de"')
    expect(german).toContain('Abmelden')
    expect((await browser.visit('/user/preferences/')).text).toMatch(/value="de" selected/)
    await prefer('')
    expect((await browser.visit('/user/profile/')).text).toContain('<html lang="en"')
  })

  it('does not affect the API, whose responses are English', async () => {
    const headers = { 'accept-language': 'de' }
    const { text } = await api.ask('POST', '/api/dcim/sites/', { headers, body: {} })
    expect(text).toContain('This field is required.')
  })
})

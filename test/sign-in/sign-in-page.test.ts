import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Browser, hiddenFields } from '../sessions/browser.ts'
import { apiOfTest } from '../support/api.ts'

const LDAP = { bind_dn: 'cn=service', bind_password: 'hidden-word', user_base: 'dc=example', group_base: 'dc=example' }

/** A service with these providers, and the browser of its administrator. */
async function opened(providers: readonly object[]) {
  const api = await apiOfTest(
    providers.length > 0 ? { AUTH_PROVIDERS: JSON.stringify(providers), TRUST_PROXY: '127.0.0.9' } : {},
  )
  const browser = new Browser(api.url)
  await browser.logIn('admin', 'admin')
  const visit = async (query = '') => mainOf((await browser.visit(`/users/sign-in/${query}`)).text)
  const test = async (name: string) => {
    const fields = hiddenFields((await browser.visit('/users/sign-in/')).text)
    return mainOf((await browser.visit('/users/sign-in/', { form: { ...fields, test: name } })).text)
  }
  return { api, browser, visit, test }
}

const mainOf = (page: string): string => page.slice(page.indexOf('<main'))
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

/** The address of an OpenID Connect provider that only has metadata. */
async function startIssuer(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ issuer: address, authorization_endpoint: `${address}/auth`, jwks_uri: `${address}/jwks` }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => void server.close())
  return address
}

describe('the page of sign-in', () => {
  it('shows an example if no provider is configured', async () => {
    const { visit } = await opened([])
    const page = await visit()
    expect(page).toContain('AUTH_PROVIDERS=&#39;[{&quot;type&quot;:&quot;oidc&quot;')
    expect(page).toContain('&quot;type&quot;:&quot;ldap&quot;')
    expect(page).not.toContain('Preview')
  })

  it('lists the providers with their servers, and tests the connection to each', async () => {
    const issuer = await startIssuer()
    const { visit, test } = await opened([
      { type: 'ldap', name: 'directory', urls: ['ldap://127.0.0.1:1', 'ldaps://127.0.0.1:2'], ...LDAP },
      { type: 'oidc', name: 'up', issuer, client_id: 'c' },
      { type: 'oidc', name: 'down', issuer: 'http://127.0.0.1:40404', client_id: 'c' },
      { type: 'header', name: 'proxy', header: 'x-user' },
    ])
    const page = await visit()
    for (const text of ['LDAP', 'ldap://127.0.0.1:1', 'ldaps://127.0.0.1:2', 'OpenID Connect', issuer, 'x-user']) {
      expect(page).toContain(text)
    }
    expect(page).not.toContain('hidden-word')
    expect(textOf(await test('directory'))).toMatch(
      /directory does not work: ldap:\/\/127.0.0.1:1: .*ECONNREFUSED.* ldaps:\/\/127.0.0.1:2: .*ECONNREFUSED/,
    )
    expect(textOf(await test('up'))).toContain('up works: it responds')
    expect(textOf(await test('down'))).toMatch(
      /down does not work: The login provider cannot be reached: .*ECONNREFUSED/,
    )
    expect(textOf(await test('proxy'))).toContain('proxy needs no connection from here')
    expect(textOf(await test('<b>'))).not.toContain('works')
  })

  it('says why groups have no effect, and offers what is missing', async () => {
    const { api, browser, visit } = await opened([
      { type: 'header', name: 'mapped', header: 'x-a', group_header: 'x-g', groups: { NetOps: 'operators' } },
      { type: 'header', name: 'equal', header: 'x-b', group_header: 'x-g' },
    ])
    const add = (name: string) => `/users/groups/add/?name=${name}">Create it</a>`
    // Beside the mapping, and in the preview.
    expect(await visit()).toContain(add('operators'))
    const mapped = await visit('?provider=mapped&groups=NetOps%0Aguests')
    expect(textOf(mapped)).toContain('NetOps → operators : There is no group operators here. Create it')
    expect(textOf(mapped)).toContain('guests : No mapping names this group. Add a mapping')
    expect(mapped).toContain('/users/group-mappings/add/?provider=mapped&amp;provider_group=guests')
    expect(await visit('?provider=equal&groups=guests')).toContain(add('guests'))
    await api.make('users/groups', { name: 'operators' })
    expect(await visit('?provider=mapped&groups=NetOps')).not.toContain('There is no group')
    // The provider of a mapping is a choice.
    const { text } = await browser.visit('/users/group-mappings/add/?provider=equal')
    const [, select = ''] = /<select[^>]*name="provider"[^>]*>(.*?)<\/select>/s.exec(text) ?? []
    expect(textOf(select).trim().split(/\s+/)).toEqual(expect.arrayContaining(['mapped', 'equal']))
    expect(select).toContain('value="equal" selected')
  })
})

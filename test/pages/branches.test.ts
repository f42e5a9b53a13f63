import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pruneHistory } from '../../src/read/as-of/prune-history.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

describe('pages in a branch', () => {
  let api: Api
  let site: number
  let browser: Browser
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    await api.make('dcim/sites', { name: 'Berlin', slug: 'ber' })
  })
  afterAll(() => api.close())
  beforeEach(async () => {
    browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
  })

  let count = 0
  const branchOff = async () => {
    const name = `Plan ${++count}`
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name } })
    return { id: Number(json.id), name, schemaId: String(json.schema_id) }
  }
  /** Undoes the archiving. */
  const reopen = async ({ id }: { readonly id: number }) => {
    const query = `changed_object_type=core.branch&changed_object_id=${id}&action=update&limit=1`
    const { json } = await api.ask('GET', `/api/core/object-changes/?${query}`)
    const { status, text } = await api.ask('POST', `/api/core/object-changes/${json.results?.[0]?.id}/undo/`, {
      body: {},
    })
    expect(status, text).toBe(200)
  }
  type Branch = Awaited<ReturnType<typeof branchOff>>
  const inBranch = ({ schemaId }: Branch) => ({ 'X-NetBox-Branch': schemaId })
  const write = (branch: Branch | undefined, body: object, id = site) =>
    api.ask('PATCH', `/api/dcim/sites/${id}/`, { body, ...(branch && { headers: inBranch(branch) }) })
  const read = async (branch?: Branch) =>
    (await api.ask('GET', `/api/dcim/sites/${site}/`, branch && { headers: inBranch(branch) })).json
  const act = (branch: Branch, action: string) =>
    api.ask('POST', `/api/core/branches/${branch.id}/${action}/`, { body: {} })

  /** The hidden fields of the first form of a page that writes to the address. */
  const fieldsOf = (markup: string, action: string): Record<string, string> => {
    const form = markup.split('<form').find((each) => each.includes(`action="${action}"`)) ?? ''
    const inputs = form.slice(0, form.indexOf('</form>')).matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)
    return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, decoded(value)]))
  }
  const decoded = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  /** Uses the menu in the header. */
  const choose = async (schemaId: string, from = '/dcim/sites/') => {
    const { text } = await browser.visit(from)
    return await browser.visit('/user/branch/', { form: { ...fieldsOf(text, '/user/branch/'), branch: schemaId } })
  }
  const submit = async (path: string, values: Record<string, string> = {}) => {
    const { text } = await browser.visit(path)
    const fields = fieldsOf(text, path)
    // Some forms have no address, or are shown only for a selection.
    const form =
      'csrfmiddlewaretoken' in fields ? fields : fieldsOf((await browser.visit('/dcim/sites/')).text, '/user/branch/')
    return await browser.visit(path, { form: { ...form, ...values } })
  }
  const textOf = (markup: string): string =>
    markup
      .slice(markup.indexOf('<main'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  /** The pictures of the objects below the heading. */
  const cardsBelow = (heading: string, markup: string): readonly string[] =>
    (markup.split(heading)[1] ?? '')
      .split('<section class="card">')
      .slice(1)
      .map((card) => `<main>${card}`)
  /** The labels of the loud buttons at the top of a page. */
  const mainActions = (text: string): readonly (string | undefined)[] => {
    const actions = text.slice(text.indexOf('<div class="actions">')).split('<dl class="facts"')[0] ?? ''
    return [...actions.matchAll(/<(?:a class="button"|button(?! class| disabled))[^>]*>([^<]*)</g)].map(
      ([, label]) => label,
    )
  }
  const lineOf = (markup: string): string =>
    textOf(/<main[\s\S]*?class="branch-line([\s\S]*?)<\/div>/.exec(markup)?.[0] ?? '')

  describe('the choice of a branch', () => {
    it('is kept in a cookie that scripts cannot read, and shown on every page', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Prepared' })
      const { location } = await choose(branch.schemaId, '/dcim/sites/?q=ams')
      expect(location).toBe('/dcim/sites/?q=ams')
      expect(browser.received).toContain(`branch=${branch.schemaId}; Path=/; HttpOnly; SameSite=Lax`)
      for (const path of ['/', '/dcim/sites/', `/dcim/sites/${site}/`, '/search/?q=ams', '/core/changelog/']) {
        const { text } = await browser.visit(path)
        expect(lineOf(text), path).toContain(`${branch.name} 1 changed object Back to main`)
        expect(text).toContain(`href="/core/branches/${branch.id}/changes/"`)
      }
      const { text: shared } = await browser.visit(`/core/branches/${branch.id}/`)
      expect(lineOf(shared)).toContain('1 changed object This page is the same in all branches. Back to main')
      expect((await browser.visit(`/dcim/sites/${site}/`)).text).toContain('Prepared')
      await choose('', `/dcim/sites/${site}/`)
      expect(browser.cookies.has('branch')).toBe(false)
      const { text } = await browser.visit(`/dcim/sites/${site}/`)
      expect([lineOf(text), text.includes('Prepared')]).toEqual(['', false])
    })

    it.each([
      ['name', ({ name }: Branch) => name],
      ['id', ({ schemaId }: Branch) => schemaId],
    ])('can also be made through a URL with the %s of the branch', async (_, of) => {
      const branch = await branchOff()
      const { status, location } = await browser.visit(`/dcim/sites/?q=x&branch=${encodeURIComponent(of(branch))}`)
      expect([status, location]).toEqual([303, '/dcim/sites/?q=x'])
      expect(browser.cookies.get('branch')).toBe(branch.schemaId)
      await browser.visit('/dcim/sites/?branch=')
      expect(browser.cookies.has('branch')).toBe(false)
    })

    it.each([
      ['stays where it was made', '/dcim/sites/?q=ams'],
      ['shows the branch without such a place', undefined],
    ])('is made by creating a branch, which %s', async (_what, from) => {
      const name = `New plan for ${from ?? 'nothing'}`
      const menu = (await browser.visit(from ?? '/dcim/sites/')).text
      const add = decoded(/href="(\/core\/branches\/add\/\?return_url=[^"]*)"/.exec(menu)?.[1] ?? '')
      expect(new URLSearchParams(add.split('?')[1]).get('return_url')).toBe(from ?? '/dcim/sites/')
      const path = '/core/branches/add/'
      const values = { name, _save: '1', ...(from !== undefined && { return_url: from }) }
      const { location } = await submit(path, values)
      expect(location?.startsWith(from ?? '/core/branches/')).toBe(true)
      expect(lineOf((await browser.visit('/dcim/sites/')).text)).toContain(name)
      await choose('')
    })

    it('is refused if the branch does not exist', async () => {
      const { status, text } = await browser.visit('/dcim/sites/?branch=nowhere')
      expect([status, textOf(text)]).toEqual([400, expect.stringContaining('There is no open branch “nowhere”.')])
    })

    it('does not affect requests of the API', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Hidden' })
      await choose(branch.schemaId)
      const { text } = await browser.visit(`/api/dcim/sites/${site}/`, { headers: { accept: 'application/json' } })
      expect(text).not.toContain('Hidden')
    })

    it('does not treat changes of main as changes of the branch', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Of the branch' })
      expect((await browser.visit('/core/events/')).text).not.toContain('These are the changes on main.')
      await choose(branch.schemaId)
      const { text } = await browser.visit('/core/events/')
      expect(text).toContain('These are the changes on main.')
      expect(text).toContain(`href="/core/branches/${branch.id}/changes/"`)
      expect(text).not.toContain('Of the branch')
      const events = await api.ask('GET', '/api/core/events/', { headers: inBranch(branch) })
      expect([events.status, events.json.detail]).toEqual([
        400,
        expect.stringContaining('The stream contains only changes on main.'),
      ])
    })

    it('cannot be combined with a point in time', async () => {
      const branch = await branchOff()
      await choose(branch.schemaId)
      const { text } = await browser.visit(`/dcim/sites/${site}/`)
      expect(text).not.toContain('View an earlier state')
      const past = await browser.visit('/dcim/sites/?as_of=2026-01-01T00:00:00Z')
      expect([past.status, textOf(past.text)]).toEqual([400, expect.stringContaining('Past states of a branch')])
    })

    it.each([
      ['merged', (branch: Branch) => act(branch, 'merge'), 'has been merged'],
      ['archived', (branch: Branch) => act(branch, 'archive'), 'has been archived'],
      ['deleted', ({ id }: Branch) => api.ask('DELETE', `/api/core/branches/${id}/`), 'no longer exists'],
    ])('is dropped with a notice once the branch is %s', async (_, close, sentence) => {
      const branch = await branchOff()
      await choose(branch.schemaId)
      const form = fieldsOf((await browser.visit(`/dcim/sites/${site}/delete/`)).text, `/dcim/sites/${site}/delete/`)
      await close(branch)
      const refused = await browser.visit(`/dcim/sites/${site}/delete/`, { form })
      expect([refused.status, textOf(refused.text)]).toEqual([409, expect.stringContaining('Not saved.')])
      await browser.visit('/dcim/sites/?branch=')
      browser.cookies.set('branch', branch.schemaId)
      const script = await browser.visit('/dcim/sites/', { headers: { 'sec-fetch-dest': 'empty' } })
      expect([script.status, browser.cookies.has('branch')]).toEqual([200, true])
      const { status, text } = await browser.visit('/dcim/sites/')
      expect([status, textOf(text)]).toEqual([200, expect.stringContaining(sentence)])
      expect(browser.cookies.has('branch')).toBe(false)
      expect(textOf((await browser.visit('/dcim/sites/')).text)).not.toContain(sentence)
    })
  })

  describe('in a branch', () => {
    it('a token that is restricted to it reads its pages', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Of the token' })
      const { json } = await api.ask('POST', '/api/users/tokens/', {
        body: { user: 1, version: 1, branch: branch.id },
      })
      const { text } = await api.ask('GET', `/dcim/sites/${site}/`, {
        token: String(json.token),
        headers: { accept: 'text/html' },
      })
      expect(text).toContain('Of the token')
    })

    it('forms write to the branch in which they were shown, even if another one has been chosen since', async () => {
      const branch = await branchOff()
      await choose(branch.schemaId)
      const path = `/dcim/sites/${site}/edit/`
      const { text } = await browser.visit(path)
      await choose('')
      const form = { ...fieldsOf(text, path), name: 'Amsterdam', slug: 'ams', status: 'active', facility: 'By form' }
      const saved = await browser.visit(path, { form })
      expect(saved.status, textOf(saved.text)).toBe(303)
      expect(await read(branch)).toMatchObject({ facility: 'By form' })
      expect(await read()).not.toMatchObject({ facility: 'By form' })
    })

    it('an import, a bulk edit and their undo affect only the branch', async () => {
      const branch = await branchOff()
      await choose(branch.schemaId)
      const imported = await submit('/dcim/sites/import/', { step: 'import', data: 'name,slug,status\nE,e,active' })
      expect(imported.status, textOf(imported.text)).toBe(303)
      const edited = await submit('/dcim/sites/edit/', { ids: String(site), do: 'apply', facility: 'Bulk' })
      expect(edited.status, textOf(edited.text)).toBe(303)
      expect([(await read(branch)).facility, (await read()).facility]).toEqual(['Bulk', ''])
      const { text } = await browser.visit(edited.location ?? '')
      const undo = /<a href="([^"]*)">Undo<\/a>/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const page = await browser.visit(undo)
      const undone = await browser.visit(undo, { form: { ...fieldsOf(page.text, undo.replaceAll('&', '&amp;')) } })
      expect(undone.status, textOf(undone.text)).toBe(303)
      expect((await read(branch)).facility).toBe('')
      expect((await api.ask('GET', '/api/dcim/sites/?slug=e')).json.count).toBe(0)
    })

    it.each([
      ['/user/preferences/', { per_page: '50' }],
      ['/dcim/sites/columns/', { do: 'save', column: 'name', order: 'name' }],
      ['/dashboard/', { change: 'reset' }],
      ['/users/groups/add/', { name: 'Of all', _save: '1' }],
      ['/core/branches/add/', { name: 'Of all', _save: '1' }],
    ])('%s writes to main, which contains what branches share', async (path, values) => {
      await choose((await branchOff()).schemaId)
      const { status, text } = await submit(path, values)
      expect(status, textOf(text)).toBe(303)
    })

    it('bookmarks are those of the branch', async () => {
      const branch = await branchOff()
      await choose(branch.schemaId)
      const page = `/dcim/sites/${site}/`
      const form = fieldsOf((await browser.visit(page)).text, `${page}bookmark/`)
      expect((await browser.visit(`${page}bookmark/`, { form })).status).toBe(303)
      expect((await browser.visit('/user/bookmarks/')).text).toContain('Amsterdam')
      await choose('')
      expect(textOf((await browser.visit('/user/bookmarks/')).text)).not.toContain('Amsterdam')
    })

    it('scripts and links to the API name the branch, on pages that show it', async () => {
      const { schemaId } = await branchOff()
      await choose(schemaId)
      const { text } = await browser.visit(`/dcim/sites/${site}/`)
      expect(text).toContain(`data-branch="${schemaId}"`)
      expect(text).toContain(`href="/api/dcim/sites/${site}/?branch=${schemaId}"`)
      expect((await browser.visit('/users/groups/')).text).not.toContain('data-branch')
    })
  })

  describe('the page of a branch', () => {
    it('counts its changes and conflicts, offers one main action, and gives one message after the merge', async () => {
      const branch = await branchOff()
      const page = `/core/branches/${branch.id}/`
      await write(branch, { facility: 'Of the branch' })
      await write(undefined, { facility: `Main ${branch.id}` })
      for (const [tab, actions] of [
        ['', ['Resolve conflicts']],
        ['changes/', ['Resolve conflicts']],
        ['conflicts/', []],
      ] as const) {
        const { text } = await browser.visit(`${page}${tab}`)
        expect(textOf(text), tab).toMatch(/Changes 1 Conflicts 1 /)
        expect(mainActions(text), tab).toEqual(actions)
      }
      await choose(branch.schemaId)
      expect(mainActions((await browser.visit(page)).text)).toEqual(['Resolve conflicts'])
      const body = { object_type: 'dcim.site', object_id: site, field: 'facility', keep: 'mine' }
      await api.ask('POST', `/api/core/branches/${branch.id}/conflicts/`, { body })
      const chosen = await browser.visit(page)
      expect([textOf(chosen.text), mainActions(chosen.text)]).toEqual([
        expect.stringMatching(/Changes 1 Conflicts Changelog /),
        ['Merge'],
      ])
      expect(textOf((await browser.visit(`${page}merge/`)).text)).toContain(`Merge: ${branch.name}`)
      const { location } = await submit(`${page}merge/`)
      const merged = await browser.visit(String(location))
      expect(textOf(merged.text)).toContain('The branch was merged into main.')
      expect(textOf(merged.text)).not.toContain('has been merged')
      expect(mainActions(merged.text)).toEqual([])
      await act(branch, 'revert')
      await write(undefined, { facility: '' })
    })

    it('leads a change request first to its conflicts, then to the merge', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Of the branch' })
      await write(undefined, { facility: `Main ${branch.id}` })
      const request = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      const pages = [`/core/change-requests/${request}/`, `/core/change-requests/${request}/changes/`]
      for (const page of pages) {
        const { text } = await browser.visit(page)
        expect(mainActions(text), page).toEqual(['Resolve conflicts'])
        expect(text, page).toContain(`<a class="button" href="/core/branches/${branch.id}/conflicts/">`)
      }
      const body = { object_type: 'dcim.site', object_id: site, field: 'facility', keep: 'mine' }
      await api.ask('POST', `/api/core/branches/${branch.id}/conflicts/`, { body })
      for (const page of pages) expect(mainActions((await browser.visit(page)).text), page).toEqual(['Merge'])
      await act(branch, 'archive')
      await write(undefined, { facility: '' })
    })

    it('names the device of a changed interface, also when the change is undone', async () => {
      const branch = await branchOff()
      const make = (path: string, body: object) => api.make(path, { name: `Named ${branch.id}`, ...body })
      const manufacturer = await make('dcim/manufacturers', { slug: `maker-${branch.id}` })
      const device = await make('dcim/devices', {
        site,
        role: await make('dcim/device-roles', { slug: `role-${branch.id}` }),
        device_type: await make('dcim/device-types', { manufacturer, model: 'Box', slug: `box-${branch.id}` }),
      })
      const lan = await api.make('dcim/interfaces', { device, name: 'lan0', type: '1000base-t' })
      const headers = inBranch(branch)
      await api.ask('PATCH', `/api/dcim/interfaces/${lan}/`, { headers, body: { description: 'new' } })
      const request = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      for (const page of [
        `/core/branches/${branch.id}/changes/`,
        `/core/branches/${branch.id}/merge/`,
        `/core/change-requests/${request}/`,
        `/core/change-requests/${request}/changes/`,
      ]) {
        expect(textOf((await browser.visit(page)).text), page).toContain(`lan0 Named ${branch.id}`)
      }
      await api.ask('PATCH', `/api/dcim/interfaces/${lan}/`, { body: { label: 'new' } })
      const { json } = await api.ask('GET', '/api/core/object-changes/?limit=1')
      const undo = await browser.visit(`/core/changelog/${json.results?.[0]?.id}/undo/`)
      expect(textOf(undo.text)).toContain(`Interface Named ${branch.id} · lan0`)
      await act(branch, 'archive')
    })

    it('counts nothing for an object that the branch has created and deleted again', async () => {
      const branch = await branchOff()
      const headers = { 'x-netbox-branch': branch.schemaId }
      const make = (slug: string) =>
        api.ask('POST', '/api/dcim/regions/', { headers, body: { name: slug, slug: `${slug}-${branch.id}` } })
      await make('kept')
      const { json } = await make('gone')
      await api.ask('DELETE', `/api/dcim/regions/${json.id}/`, { headers })
      const { text } = await browser.visit(`/core/branches/${branch.id}/changes/`)
      expect(textOf(text)).toMatch(/Changes 1 Conflicts/)
    })

    it('lists the changes by type, object and field', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'One' })
      await write(branch, { facility: 'Two', description: 'new' })
      await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Cork', slug: 'cork' }, headers: inBranch(branch) })
      await api
        .ask('POST', '/api/dcim/regions/', { body: { name: 'Gone', slug: 'gone' }, headers: inBranch(branch) })
        .then(({ json }) => api.ask('DELETE', `/api/dcim/regions/${json.id}/`, { headers: inBranch(branch) }))
      const { text } = await browser.visit(`/core/branches/${branch.id}/changes/`)
      expect(textOf(text)).toMatch(/1 created, 1 changed, 0 deleted Sites 2 Updated Amsterdam .*Facility — Two/)
      expect(textOf(text)).not.toMatch(/\bOne\b|Gone/)
      expect(textOf((await browser.visit('/core/branches/')).text)).toMatch(
        new RegExp(`${branch.name}.*?Ready admin 2 `),
      )
      const { text: page } = await browser.visit(`/dcim/sites/${site}/`)
      expect(textOf(page)).toMatch(new RegExp(`Changed in the open branch(es)? .*${branch.name}`))
      await act(branch, 'archive')
    })

    it('leads to a change request, which shows the changes', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Reviewed' })
      const { text: page } = await browser.visit(`/core/branches/${branch.id}/`)
      const ask = decoded(/href="([^"]*)">Ask for a review<\/a>/.exec(page)?.[1] ?? '')
      expect((await browser.visit(ask)).text).toContain(`<option value="${branch.id}" selected`)
      const id = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      const { text } = await browser.visit(`/core/change-requests/${id}/changes/`)
      expect(textOf(text)).toMatch(/Amsterdam .*Facility — Reviewed/)
      await act(branch, 'archive')
    })

    it('has one loud button on each page of its change request, and names what the merge changes', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Loud' })
      const id = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      for (const path of [`/core/change-requests/${id}/`, `/core/change-requests/${id}/changes/`]) {
        const { text } = await browser.visit(path)
        const loud = [...text.matchAll(/<a class="button" [^>]*>([^<]*)<\/a>/g)].map(([, label]) => label)
        expect({ path, loud }).toEqual({ path, loud: ['Merge'] })
        expect(textOf(text)).toMatch(/0 created, 1 changed, 0 deleted/)
      }
      expect(textOf((await browser.visit(`/core/change-requests/${id}/`)).text)).toContain('Amsterdam')
      expect(textOf((await browser.visit(`/core/branches/${branch.id}/merge/`)).text)).toContain('Amsterdam')
      await act(branch, 'archive')
    })

    it.each([
      ['comment', 'Comment', 'Why\nnow?'],
      ['approve', 'Approve', ''],
      ['request_changes', 'Request changes', 'Too soon'],
    ])('takes a review below the changes: %s', async (verdict, label, comment) => {
      const branch = await branchOff()
      await write(branch, { facility: `Reviewed ${verdict}` })
      const id = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      const [page, changes] = [`/core/change-requests/${id}/`, `/core/change-requests/${id}/changes/`]
      for (const path of [page, changes]) {
        const { text } = await browser.visit(path)
        // One way leads to a review.
        expect([...text.matchAll(/href="([^"]*review[^"]*)"/gi)].map(([, href]) => href)).toEqual([`${changes}#review`])
        expect(textOf(text)).toContain('There are no reviews yet.')
      }
      const { text } = await browser.visit(changes)
      expect([...text.matchAll(/type="radio" name="verdict" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
        ...['comment', 'approve', 'request_changes'],
      ])
      const form = fieldsOf(text, `${changes}#review`)
      const saved = await browser.visit(changes, { form: { ...form, verdict, text: comment } })
      expect([saved.status, saved.location]).toEqual([303, expect.stringMatching(`^${page}[?]saved=reviewed&`)])
      const told = textOf((await browser.visit(saved.location ?? '')).text)
      expect(told).toContain('Your review was added. Undo')
      expect(told).toMatch(new RegExp(`Reviews ${label} admin .* ${comment.replace('\n', ' ')}`))
      const { json } = await api.ask('GET', `/api/core/change-reviews/?change_request_id=${id}`)
      expect(json.results).toMatchObject([{ verdict: { value: verdict }, text: comment, user: { username: 'admin' } }])
      await act(branch, 'archive')
      expect((await browser.visit(changes)).text).not.toContain('Submit review')
    })

    it.each([
      [{ verdict: 'comment', text: ' ' }, 'Write a comment, or choose another verdict.'],
      [{ verdict: 'maybe', text: 'Perhaps' }, 'maybe'],
    ])('refuses the review %j and keeps what was entered', async (entered, sentence) => {
      const branch = await branchOff()
      const id = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
      const changes = `/core/change-requests/${id}/changes/`
      const form = fieldsOf((await browser.visit(changes)).text, `${changes}#review`)
      const { status, text } = await browser.visit(changes, { form: { ...form, ...entered } })
      expect([status, textOf(text)]).toEqual([400, expect.stringMatching(`Not saved. .*${sentence}`)])
      expect(text).toContain(`${entered.text.trim()}</textarea>`)
      expect((await api.ask('GET', `/api/core/change-reviews/?change_request_id=${id}`)).json.count).toBe(0)
      await act(branch, 'archive')
    })

    it('draws the racks whose devices it places differently, and marks these, also once it is closed', async () => {
      const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
      const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
      const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
      const rack = await api.make('dcim/racks', { name: 'Rack 7', site, u_height: 10 })
      const other = await api.make('dcim/racks', { name: 'Rack 8', site, u_height: 10 })
      const place = { site, role, device_type, rack, face: 'front' }
      const devices: number[] = []
      for (const [name, position] of [
        ['up', 3],
        ['over', 4],
        ['gone', 5],
        ['unracked', 6],
        ['still', 7],
      ] as const)
        devices.push(await api.make('dcim/devices', { ...place, name, position }))
      const [up, over, gone, unracked] = devices
      const branch = await branchOff()
      const headers = inBranch(branch)
      const change = async (method: string, path: string, body?: object) => {
        const { status, text } = await api.ask(method, `/api/dcim/devices/${path}`, { body, headers })
        expect(status, text).toBeLessThan(300)
      }
      await change('PATCH', `${up}/`, { position: 8 })
      await change('PATCH', `${over}/`, { rack: other, position: 2, face: 'rear' })
      await change('DELETE', `${gone}/`)
      await change('PATCH', `${unracked}/`, { position: null, face: '' })
      await change('POST', '', { ...place, name: 'new', position: 1 })
      const page = `/core/branches/${branch.id}/changes/`

      const marks = [
        ['On main', ['unracked Removed', 'gone Removed', 'over Moved to Rack 8, U2, rear', 'up Moved to U8']],
        ['In the branch', ['up Moved from U3', 'new Added']],
        ['On main', []],
        ['In the branch', ['over Moved from Rack 7, U4, front']],
      ]
      const marksIn = (text: string) =>
        text
          .split('<div class="rack" ')
          .slice(1)
          .map((picture) => {
            const cells = picture.matchAll(/<td class="device[^"]* marked[^"]*"[^>]*data-label="(\w+)".*?<\/td>/gs)
            const shown = [...cells].map(([cell, label]) => {
              const [, word] = /role="img" aria-label="(\w+)"/.exec(cell) ?? []
              return [label, word, /<small>(.*?)<\/small>/.exec(cell)?.[1]].filter(Boolean).join(' ')
            })
            return [/<h4>(.*?)<\/h4>/.exec(picture)?.[1], [...new Set(shown)]]
          })
      const { text } = await browser.visit(page)
      expect(textOf(text)).toContain('Racks before and after + Added − Removed ↕ Moved Rack 7 On main')
      expect(marksIn(text)).toEqual(marks)
      expect(text).toContain(`href="/dcim/devices/${up}/?branch=${branch.schemaId}"`)
      expect(text).not.toContain('/dcim/devices/add/?site')

      await act(branch, 'archive')
      const archived = (await browser.visit(page)).text
      expect(marksIn(archived)).toEqual(marks)
      expect(archived).not.toContain(`?branch=${branch.schemaId}`)
      await reopen(branch)

      expect((await act(branch, 'merge')).status).toBe(200)
      await api.ask('PATCH', `/api/dcim/devices/${up}/`, { body: { position: 9 } })
      const titles = ['Before the merge', 'After the merge']
      const merged = (await browser.visit(page)).text
      expect(marksIn(merged)).toEqual(marks.map(([, shown], index) => [titles[index % 2], shown]))
      const [, link = ''] = new RegExp(`href="(/dcim/devices/${up}/[?]as_of=[^"]*)"`).exec(merged) ?? []
      expect(textOf((await browser.visit(link)).text)).toContain('U3 · Front')

      await pruneHistory(api.service, new Date(Date.now() + 1000))
      const pruned = textOf((await browser.visit(page)).text)
      expect(pruned).toContain('There are no pictures of this branch')
      expect(pruned).toMatch(/over .*Rack Rack 7 .*Rack 8/)
    })

    it('draws the prefixes around what it changes, before and after', async () => {
      await api.make('ipam/prefixes', { prefix: '10.70.0.0/16', status: 'container' })
      const inner = await api.make('ipam/prefixes', { prefix: '10.70.1.0/28' })
      await api.make('ipam/ip-addresses', { address: '10.70.1.1/28' })
      const branch = await branchOff()
      const headers = inBranch(branch)
      const make = (path: string, body: object) => api.ask('POST', `/api/ipam/${path}/`, { body, headers })
      const { json } = await make('prefixes', { prefix: '10.70.2.0/24' })
      await make('ip-addresses', { address: '10.70.1.2/28' })
      const { text } = await browser.visit(`/core/branches/${branch.id}/changes/`)
      const [first = '', second = ''] = cardsBelow('Prefixes before and after', text)
      const linksOf = (part: string) =>
        [...part.matchAll(/href="\/ipam\/(?:prefixes|ip-addresses)\/([^"]*)"/g)].map(([, link]) => link)
      const onMain = `${inner}/?branch=`
      const own = `branch=${branch.schemaId}`
      expect(linksOf(first)).toEqual([onMain, `${inner}/?${own}`, `${Number(json.id)}/?${own}`])
      expect(textOf(second)).toMatch(
        /10\.70\.1\.0\/28 On main Addresses 7 % 1 of 14 .* In the branch Addresses 14 % 2 of 14/,
      )
      expect(text).not.toMatch(/ipam[^"]*\/add\/\?/)
      await act(branch, 'archive')
    })

    it('draws the cables that it connects, moves and removes, before and after', async () => {
      const manufacturer = await api.make('dcim/manufacturers', { name: 'Wired', slug: 'wired' })
      const device_type = await api.make('dcim/device-types', { manufacturer, model: 'Wired', slug: 'wired' })
      const role = await api.make('dcim/device-roles', { name: 'Wired', slug: 'wired' })
      const device = await api.make('dcim/devices', { name: 'wired', site, device_type, role })
      const ports: number[] = []
      for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
        ports.push(await api.make('dcim/interfaces', { device, name: `port ${name}`, type: '1000base-t' }))
      const ends = (index: number) => [{ object_type: 'dcim.interface', object_id: ports[index] }]
      const cable = (label: string, a: number, b: number) => ({
        label,
        a_terminations: ends(a),
        b_terminations: ends(b),
      })
      const [moved, removed, described] = [
        await api.make('dcim/cables', cable('Moved', 0, 1)),
        await api.make('dcim/cables', cable('Removed', 2, 3)),
        await api.make('dcim/cables', cable('Described', 4, 5)),
      ]
      const branch = await branchOff()
      const headers = inBranch(branch)
      const write = async (method: string, path: string, body?: object) => {
        const { status, text } = await api.ask(method, `/api/dcim/cables/${path}`, { body, headers })
        expect(status, text).toBeLessThan(300)
      }
      await write('DELETE', `${removed}/`)
      await write('PATCH', `${moved}/`, { b_terminations: ends(2) })
      await write('PATCH', `${described}/`, { description: 'not in the picture' })
      await write('POST', '', cable('New', 1, 3))
      const { text } = await browser.visit(`/core/branches/${branch.id}/changes/`)
      const cards = cardsBelow('Cables before and after', text).map(textOf)
      expect(cards.map((card) => card.trim().split(' ')[0])).toEqual(['Removed', 'Moved', 'New'])
      expect(cards[0]).toMatch(/On main .*port three .*port four/)
      expect(cards[0]).not.toContain('In the branch')
      expect(cards[1]).toMatch(/On main .*port one .*port two In the branch .*port one .*port three/)
      expect(cards[2]).toMatch(/^ New In the branch/)
      expect(text).toContain(`/dcim/interfaces/${ports[1]}/?branch="`)
      expect(text).toContain(`/dcim/interfaces/${ports[2]}/?branch=${branch.schemaId}"`)
      await act(branch, 'archive')
    })

    it('asks for confirmation of a merge, then offers to revert the merge', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'Merged' })
      const page = `/core/branches/${branch.id}/`
      expect(textOf((await browser.visit(`${page}merge/`)).text)).toContain(
        'The changes to 1 object will be applied to main. 0 created, 1 changed, 0 deleted',
      )
      const { status, location } = await submit(`${page}merge/`)
      expect([status, location]).toEqual([303, `${page}?saved=merged`])
      expect(await read()).toMatchObject({ facility: 'Merged' })
      const { text } = await browser.visit(location ?? '')
      expect(textOf(text)).toContain('The branch was merged into main.')
      expect([...text.matchAll(new RegExp(`href="${page}(\\w+)/"`, 'g'))].map(([, name]) => name)).not.toContain('sync')
      expect(text).toContain(`${page}revert/`)
      expect((await submit(`${page}revert/`)).location).toBe(`${page}?saved=reverted`)
      expect(await read()).toMatchObject({ facility: '' })
      await act(branch, 'archive')
    })

    it.each([
      ['mine', 'of the branch'],
      ['theirs', 'of main'],
    ])('lets users resolve conflicts one by one or together: %s', async (keep, value) => {
      const branch = await branchOff()
      await write(branch, { facility: 'of the branch', description: 'of the branch' })
      await write(undefined, { facility: 'of main', description: 'of main' })
      const page = `/core/branches/${branch.id}/`
      for (const action of ['merge', 'sync']) {
        const { text } = await browser.visit(`${page}${action}/`)
        expect(textOf(text)).toContain('Resolve 2 conflicts with main first.')
        expect(text).not.toMatch(/<button>(Merge|Sync)<\/button>/)
      }
      const { text } = await browser.visit(`${page}conflicts/`)
      expect(textOf(text)).toMatch(
        /Site Amsterdam Facility — of main by admin , .*? of the branch Use the branch’s value Use main’s value/,
      )
      const one = await submit(`${page}conflicts/`, { keep: `${keep} dcim.site:${site}:facility` })
      expect(one.location).toBe(`${page}conflicts/?saved=decided`)
      expect(textOf((await browser.visit(page)).text)).toContain('1 conflict with main must be resolved.')
      await submit(`${page}conflicts/`, { keep: `${keep} all` })
      expect(textOf((await browser.visit(`${page}conflicts/`)).text)).toContain('There are no conflicts to resolve.')
      expect((await submit(`${page}sync/`)).location).toBe(`${page}?saved=synchronised`)
      expect((await submit(`${page}merge/`)).location).toBe(`${page}?saved=merged`)
      expect(await read()).toMatchObject({ facility: value, description: value })
      await write(undefined, { facility: '', description: '' })
    })

    it('explains what prevents a merge', async () => {
      const branch = await branchOff()
      await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Delft', slug: 'delft' }, headers: inBranch(branch) })
      await api.make('dcim/sites', { name: 'Delft', slug: 'delft' })
      const { status, text } = await submit(`/core/branches/${branch.id}/merge/`)
      expect([status, textOf(text)]).toEqual([409, expect.stringContaining('Resolve 1 conflict with main first')])
      const tab = await browser.visit(`/core/branches/${branch.id}/conflicts/`)
      expect(textOf(tab.text)).toContain('on main, Delft has this')
      await act(branch, 'archive')
    })

    it('archives a branch, which can be undone from the change log', async () => {
      const branch = await branchOff()
      const { location } = await submit(`/core/branches/${branch.id}/archive/`)
      const { text } = await browser.visit(location ?? '')
      expect(textOf(text)).toContain('The branch was archived. Undo')
      const undo = /<a href="([^"]*)">Undo<\/a>/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const page = await browser.visit(undo)
      const undone = await browser.visit(undo, { form: fieldsOf(page.text, undo.replaceAll('&', '&amp;')) })
      expect(undone.status, textOf(undone.text)).toBe(303)
      expect((await api.ask('GET', `/api/core/branches/${branch.id}/`)).json.status).toMatchObject({ value: 'ready' })
    })
  })

  describe('a user with few permissions', () => {
    const signIn = async (name: string, permissions: readonly object[]) => {
      const user = await api.make('users/users', { username: name, password: 'Plan-And-Merge-1' })
      for (const [index, permission] of permissions.entries())
        await api.make('users/permissions', {
          name: `${name} ${index}`,
          users: [user],
          actions: ['view'],
          ...permission,
        })
      const visitor = new Browser(api.url)
      await visitor.logIn(name, 'Plan-And-Merge-1')
      return visitor
    }

    it('sees and chooses only the branches that the permissions name', async () => {
      const [mine, other] = [await branchOff(), await branchOff()]
      await write(mine, { facility: 'a' })
      await write(other, { facility: 'b' })
      const visitor = await signIn('some', [
        { object_types: ['core.branch'], constraints: { name: mine.name } },
        { object_types: ['dcim.site'] },
      ])
      const { text } = await visitor.visit(`/dcim/sites/${site}/`)
      expect(text).toContain(mine.name)
      expect(text).not.toContain(other.name)
      expect((await visitor.visit(`/dcim/sites/?branch=${other.schemaId}`)).status).toBe(400)
      visitor.cookies.set('branch', other.schemaId)
      expect(textOf((await visitor.visit('/dcim/sites/')).text)).toContain('no longer exists')
      expect((await visitor.visit(`/dcim/sites/?branch=${mine.schemaId}`)).status).toBe(303)
      const page = (await visitor.visit(`/core/branches/${mine.id}/`)).text
      for (const name of ['merge', 'sync', 'archive', 'revert']) expect(page).not.toContain(`/${name}/"`)
      const tried = await visitor.visit(`/core/branches/${mine.id}/merge/`)
      expect(tried.location).toBe(`/core/branches/${mine.id}/`)
    })

    it('sees no changes of hidden objects', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'secret place' })
      await write(undefined, { facility: 'other place' })
      const visitor = await signIn('blind', [{ object_types: ['core.branch'] }])
      for (const tab of ['changes', 'conflicts']) {
        const { status, text } = await visitor.visit(`/core/branches/${branch.id}/${tab}/`)
        expect([status, textOf(text)]).toEqual([200, expect.stringMatching(/1 more/)])
        expect(textOf(text)).not.toMatch(/Amsterdam|place|Keep/)
      }
      await write(undefined, { facility: '' })
    })

    it('sees no changes of a branch that it may not view, even if it may view its change request', async () => {
      const branch = await branchOff()
      await write(branch, { facility: 'elsewhere' })
      const id = await api.make('core/change-requests', { title: 'Hidden', branch: branch.id })
      const visitor = await signIn('reviewer', [{ object_types: ['core.changerequest', 'dcim.site'] }])
      const { status, text } = await visitor.visit(`/core/change-requests/${id}/changes/`)
      expect([status, text.includes('elsewhere')]).toEqual([404, false])
    })

    it('who may only propose is offered changes only in a branch', async () => {
      const branch = await branchOff()
      const visitor = await signIn('proposer', [
        { object_types: ['core.branch'] },
        { object_types: ['dcim.site'], actions: ['view', 'propose'] },
      ])
      const id = await api.make('dcim/sites', { name: 'Proposed', slug: 'proposed' })
      const page = `/dcim/sites/${id}/`
      expect((await visitor.visit(page)).text).not.toContain(`${page}delete/`)
      await visitor.visit(`${page}?branch=${branch.schemaId}`)
      expect((await visitor.visit(page)).text).toContain(`${page}delete/`)
      const form = fieldsOf((await visitor.visit(`${page}delete/`)).text, `${page}delete/`)
      expect((await visitor.visit(`${page}delete/`, { form })).status).toBe(303)
      const statusIn = async (of?: Branch) =>
        (await api.ask('GET', `/api${page}`, of && { headers: inBranch(of) })).status
      expect([await statusIn(branch), await statusIn()]).toEqual([404, 200])
    })

    it('without permission for branches has no menu for them', async () => {
      const visitor = await signIn('none', [{ object_types: ['dcim.site'] }])
      expect((await visitor.visit('/dcim/sites/')).text).not.toContain('branch-menu')
    })
  })
})

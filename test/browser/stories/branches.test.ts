import { expect } from 'vitest'
import { button, checkIn, content, field, find, linkTo, send } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** Who reviews changes. */
const REVIEWER = 'rita'
const PASSWORD = 'Corr3ct-Horse-Battery'
const TOKEN = 'e'.repeat(40)

/** Ids of the sites that the branches change. */
const SITES = { desktop: 1, phone: 2 } as const

/** Status of the switch on main, according to the API. */
async function statusOf({ api }: Person): Promise<unknown> {
  const { json } = await api.ask('GET', '/api/dcim/devices/?name=gr-switch')
  return json.results?.[0]?.status?.value
}

const STORIES: readonly Story[] = [
  {
    name: 'branch',
    title: 'Prepare a change in a branch, review and merge it',
    task: 33,
    clicks: { desktop: 12, phone: 12 },
    run: async (person) => {
      const { page, size } = person
      const menu = page.getByRole('banner').locator('.branch-menu')
      await person.click(menu.locator('summary'))
      await person.click(menu.getByRole('link', { name: 'Add a branch' }))
      await person.fill(field(person, 'Name'), `Swap of the switch (${size})`)
      await send(person, 'Create branch')
      await button(person, 'Back to main').waitFor()
      await find(person, 'gr-switch', 'gr-switch')
      const before = await statusOf(person)
      const after = size === 'desktop' ? 'Staged' : 'Offline'
      await person.click(linkTo(person, 'Edit'))
      await person.choose(field(person, 'Status'), after)
      await send(person, 'Save')
      expect(await statusOf(person)).toBe(before)
      await person.click(linkTo(person, '1 changed object'))
      await page.getByText('0 created, 1 changed, 0 deleted').waitFor()
      expect(await content(person)).toContain(after)
      await person.click(linkTo(person, 'Branch'))
      await person.click(linkTo(person, 'Merge'))
      await page.getByText('The changes to 1 object will be applied to main.').waitFor()
      await person.click(button(person, 'Merge'))
      await page.getByText('The branch was merged into main.').waitFor()
      expect(await statusOf(person)).toBe(after.toLowerCase())
    },
  },
  {
    name: 'conflict',
    title: 'Resolve a conflict with main in favor of a branch, and merge it',
    task: 34,
    clicks: { desktop: 7, phone: 7 },
    run: async (person) => {
      const { page, api, size, click } = person
      await openBranch(person, `Rename ${size}`)
      await click(linkTo(person, '1 conflict with main must be resolved.'))
      await click(button(person, 'Use the branch’s value'))
      await page.getByText('There are no conflicts to resolve.').waitFor()
      await click(linkTo(person, 'Merge'))
      await click(button(person, 'Merge'))
      await page.getByText('The branch was merged into main.').waitFor()
      const { json } = await api.ask('GET', `/api/dcim/sites/${SITES[size]}/`)
      expect(json.facility).toBe('of the branch')
    },
  },
  {
    name: 'review',
    title: 'Ask for a review of a branch, merge it after its approval, and revert the merge',
    task: 35,
    clicks: { desktop: 11, phone: 11 },
    run: async (person) => {
      const { page, api, size, click } = person
      const reached = async () => (await api.ask('GET', `/api/dcim/sites/${SITES[size]}/`)).json.description
      await openBranch(person, `Describe ${size}`)
      await click(linkTo(person, 'Ask for a review'))
      await checkIn(person, 'reviewers', REVIEWER)
      await send(person, 'Create change request')
      const { json } = await api.ask('GET', `/api/core/change-requests/?title=Describe ${size}`)
      const body = { change_request: json.results?.[0]?.id, verdict: 'approve' }
      expect((await api.ask('POST', '/api/core/change-reviews/', { body, token: TOKEN })).status).toBe(201)
      await click(linkTo(person, 'Merge'))
      await click(button(person, 'Merge'))
      await page.getByText('The branch was merged into main.').waitFor()
      expect(await reached()).toBe(`Described in ${size}`)
      await click(linkTo(person, 'Revert the merge'))
      await click(button(person, 'Revert the merge'))
      await page
        .getByText(/reverted/)
        .first()
        .waitFor()
      expect(await reached()).toBe('')
    },
  },
  {
    name: 'approve',
    title: 'Approve the changes that a colleague asks to review',
    task: 35,
    clicks: { desktop: 6, phone: 6 },
    signedOut: true,
    run: async (person) => {
      const { page, api, size, fill, click } = person
      await click(page.getByRole('banner').getByRole('link', { name: 'Log in' }))
      await fill(page.getByLabel('User name'), REVIEWER)
      await fill(page.getByLabel('Password'), PASSWORD)
      await person.press('Enter')
      await click(page.getByRole('link', { name: /^Notifications:/ }))
      await click(linkTo(person, new RegExp(`Approve ${size}`)))
      await click(linkTo(person, 'Review'))
      await click(page.getByRole('radio', { name: /^Approve/ }))
      await click(button(person, 'Submit review'))
      await page.getByText('There are no reviews yet.').waitFor({ state: 'detached' })
      const { json } = await api.ask('GET', '/api/core/change-reviews/?limit=1&ordering=-id')
      expect(json.results?.[0]).toMatchObject({ verdict: { value: 'approve' }, user: { username: REVIEWER } })
    },
  },
]

/** Chooses a branch in the header, and opens its page. */
async function openBranch(person: Person, name: string): Promise<void> {
  const { page, click } = person
  const menu = page.getByRole('banner').locator('.branch-menu')
  await click(menu.locator('summary'))
  await click(menu.getByRole('button', { name }))
  await click(page.getByRole('note', { name: `Branch: ${name}` }).getByRole('link', { name }))
}

tellStories('branches', STORIES, async (api) => {
  const user = await api.make('users/users', { username: REVIEWER, password: PASSWORD })
  await api.make('users/tokens', { user, key: TOKEN, token: TOKEN, version: 1 })
  await api.make('users/permissions', {
    name: 'Review',
    users: [user],
    object_types: ['core.branch', 'core.changerequest', 'core.changereview', 'core.objectchange', 'dcim.site'],
    actions: ['view', 'add', 'change'],
  })
  const branch = async (name: string, site: number, body: object): Promise<number> => {
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name } })
    const headers = { 'X-NetBox-Branch': String(json.schema_id) }
    const { status, text } = await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body, headers })
    expect(status, text).toBe(200)
    return Number(json.id)
  }
  for (const [size, site] of Object.entries(SITES)) {
    await branch(`Rename ${size}`, site, { facility: 'of the branch' })
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: 'of main' } })
    await branch(`Describe ${size}`, site, { description: `Described in ${size}` })
    const title = `Approve ${size}`
    const id = await branch(title, site, { physical_address: `Quay of ${size}` })
    await api.make('core/change-requests', { title, branch: id, reviewers: [user] })
  }
})

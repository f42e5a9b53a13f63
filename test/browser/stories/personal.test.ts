import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { totpCode } from '../../../src/identity/totp.ts'
import { createdId } from '../../support/requests.ts'
import { button, content, field, goTo, jumpTo, linkTo } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

const SCRIPT = `
from dcim.models import Site
from extras.scripts import ObjectVar, Script, StringVar

class Describe(Script):
    site = ObjectVar(model=Site)
    text = StringVar(label="Text")

    def run(self, data, commit):
        data["site"].description = data["text"]
        data["site"].save()
        self.log_success("The site has a description")
`
const scripts = realpathSync(mkdtempSync(join(tmpdir(), 'stories-')))
writeFileSync(join(scripts, 'describe.py'), SCRIPT)
afterAll(() => rmSync(scripts, { recursive: true }))

/** A time after the sample network was created, and before a device was changed. */
let beforeChange = ''

/** Opens an entry of the menu at the top right of every page. */
async function openOwn({ page, click }: Person, entry: string): Promise<void> {
  await click(page.locator('.user-menu > summary'))
  await click(page.locator('.user-menu').getByRole('link', { name: entry, exact: true }))
}

const STORIES: readonly Story[] = [
  {
    name: 'dashboard',
    title: 'Show the devices of one site on the start page',
    task: 20,
    clicks: { desktop: 4, phone: 4 },
    netbox: 4,
    run: async (person) => {
      const { page, size, fill, pick, click } = person
      await click(linkTo(person, 'Edit dashboard'))
      await click(linkTo(person, 'Object list'))
      await fill(field(person, 'Title'), `Harbour ${size}`)
      await pick(field(person, 'Kind of objects'), 'Devices')
      await fill(field(person, 'Filters and order'), 'site=harbour-house')
      await click(button(person, 'Save'))
      await page.waitForURL(/\/dashboard\/#widget-/)
      await click(linkTo(person, 'Done'))
      await page.getByRole('heading', { name: `Harbour ${size}` }).waitFor()
      expect(await content(person)).toContain('hh-router')
    },
  },
  {
    name: 'script',
    title: 'Run a script and read what it has done',
    task: 26,
    clicks: { desktop: 4, phone: 6 },
    run: async (person) => {
      const { page, api, size, fill, pick, click } = person
      const site = size === 'phone' ? 'Gull Rock Lighthouse' : 'Harbour House'
      await goTo(person, 'Customization', 'Scripts')
      await click(linkTo(person, 'Describe'))
      await click(linkTo(person, 'Run'))
      await pick(field(person, 'Site'), site)
      await fill(field(person, 'Text'), `Described on a ${size}`)
      await click(button(person, 'Run script'))
      await page.waitForURL(/\/core\/jobs\/\d+\/$/)
      await api.background.runUntilIdle()
      await page.getByText('The site has a description').first().waitFor()
      const { json } = await api.ask('GET', `/api/dcim/sites/?description=Described on a ${size}`)
      expect(json.results?.[0]?.name).toBe(site)
    },
  },
  {
    name: 'as-of',
    title: 'See a device as it was before a change',
    task: 27,
    clicks: { desktop: 3, phone: 3 },
    run: async (person) => {
      const { page, fill, click } = person
      await jumpTo(person, 'gr-switch', /^gr-switch/)
      expect(await content(person)).toContain('Serial of today')
      await click(page.locator('summary[aria-label="View an earlier state"]'))
      await fill(page.locator('input[name=as_of]'), beforeChange)
      await click(button(person, 'Show this time'))
      await page.getByRole('note').getByText('read-only').waitFor()
      expect(await content(person)).not.toContain('Serial of today')
      // The slider moves through the time in between; its end is the present.
      const slider = page.getByRole('slider', { name: 'Earlier states' })
      await slider.press('End')
      await page.getByRole('note').waitFor({ state: 'detached' })
      expect(await content(person)).toContain('Serial of today')
    },
  },
  {
    name: 'notification',
    title: 'Subscribe to a site and read the notification of its next change',
    task: 29,
    clicks: { desktop: 4, phone: 4 },
    // One to subscribe and one for the bell, as counted in the trial, and two to find the site.
    netbox: 4,
    run: async (person) => {
      const { page, api, size, click } = person
      const [id, name] = size === 'phone' ? [2, 'Gull Rock Lighthouse'] : [1, 'Harbour House']
      await jumpTo(person, name, new RegExp(`^${name}`))
      await click(button(person, 'Subscribe'))
      await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { facility: `Hall ${size}` } })
      await api.background.runUntilIdle()
      await click(page.getByRole('link', { name: /^Notifications:/ }))
      expect(await content(person)).toContain(`Site ${name} updated`)
      await click(button(person, 'Mark all as read'))
      await page.getByRole('link', { name: /^Notifications: 0 unread/ }).waitFor()
    },
  },
  {
    name: 'factor',
    title: 'Set up a second factor, and save the recovery codes',
    task: 32,
    clicks: { desktop: 5, phone: 5 },
    signedOut: true,
    run: async (person) => {
      const { page, size, fill, click } = person
      await click(page.getByRole('banner').getByRole('link', { name: 'Log in' }))
      await fill(page.getByLabel('User name'), `kim-${size}`)
      await fill(page.getByLabel('Password'), PASSWORD)
      await person.press('Enter')
      await openOwn(person, 'Second factor')
      await click(button(person, 'Set up'))
      const secret = ((await page.getByRole('main').locator('code').textContent()) ?? '').replaceAll(' ', '')
      await fill(page.getByLabel('Code'), totpCode(secret, Math.floor(Date.now() / 30_000)))
      await person.press('Enter')
      await click(linkTo(person, 'I have saved them'))
      await page.getByText('Your second factor is set up.').waitFor()
    },
  },
  {
    name: 'password',
    title: 'Log in after a wrong password, and change it',
    task: 30,
    clicks: { desktop: 4, phone: 4 },
    signedOut: true,
    run: async (person) => {
      const { page, size, fill, click } = person
      await click(page.getByRole('banner').getByRole('link', { name: 'Log in' }))
      await fill(page.getByLabel('User name'), `pat-${size}`)
      await fill(page.getByLabel('Password'), 'wrong')
      await person.press('Enter')
      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('User name').inputValue()).toBe(`pat-${size}`)
      await fill(page.getByLabel('Password'), PASSWORD)
      await person.press('Enter')
      await openOwn(person, 'Change password')
      expect(await content(person)).toContain('At least 12 characters')
      await fill(page.getByLabel('Current password'), PASSWORD)
      await fill(page.getByLabel('New password *', { exact: true }), 'An0ther-Horse-Battery')
      await fill(page.getByLabel('New password again'), 'An0ther-Horse-Battery')
      await click(button(person, 'Change password'))
      await page.getByText('Your password was changed.').waitFor()
    },
  },
]

tellStories(
  'a person of the service',
  STORIES,
  async (api) => {
    await api.background.runUntilIdle()
    for (const username of ['pat-desktop', 'pat-phone', 'kim-desktop', 'kim-phone'])
      await createdId(api, 'users/users', { username, password: PASSWORD })
    // The form is precise to the second, and the sample network was created within the current one.
    await setTimeout(1000)
    beforeChange = new Date().toISOString().slice(0, 19)
    await api.ask('PATCH', '/api/dcim/devices/4/', { body: { serial: 'Serial of today' } })
  },
  { settings: { SCRIPTS_ROOT: scripts } },
)

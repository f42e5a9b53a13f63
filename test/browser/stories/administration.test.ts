import { afterAll, expect } from 'vitest'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { createdId } from '../../support/requests.ts'
import { button, checkIn, content, field, goTo, jumpTo, linkTo, openForm, send } from './steps.ts'
import { type Story, tellStories } from './story.ts'

/** A directory that does not answer. */
const DIRECTORY = {
  ...{ type: 'ldap', name: 'directory', urls: ['ldap://127.0.0.1:1'], bind_dn: 'cn=service', bind_password: 'secret' },
  ...{ user_base: 'dc=example', group_base: 'dc=example', groups: { NetOps: 'operators' } },
}

const STORIES: readonly Story[] = [
  {
    name: 'custom-field',
    title: 'Add a field with choices of its own to all sites',
    task: 16,
    clicks: { desktop: 6, phone: 11 },
    run: async (person) => {
      const { page, api, size, fill, pick } = person
      await openForm(person, 'Customization', 'Custom Field Choice Sets')
      await fill(field(person, 'Name'), `Keys ${size}`)
      await fill(field(person, 'Extra choices'), 'safe: In the safe\nkeeper: With the keeper')
      await send(person, 'Create custom field choice set')
      await openForm(person, 'Customization', 'Custom Fields')
      await checkIn(person, 'object_types', 'Site')
      await fill(field(person, 'Name'), `keys_${size}`)
      await pick(field(person, 'Type'), 'Selection')
      await pick(field(person, 'Choice set'), `Keys ${size}`)
      await page.locator('select[name="default"]').waitFor({ state: 'attached' })
      await pick(field(person, 'Default value'), 'In the safe')
      await send(person, 'Create custom field')
      const { json } = await api.ask('GET', '/api/dcim/sites/1/')
      expect(json.custom_fields).toMatchObject({ [`keys_${size}`]: 'safe' })
    },
  },
  {
    name: 'tag',
    title: 'Create a tag and put it on a site',
    task: 16,
    clicks: { desktop: 5, phone: 8 },
    run: async (person) => {
      const { page, api, size, fill, click } = person
      const [id, name] = size === 'phone' ? [2, 'Gull Rock'] : [1, 'Harbour House']
      await openForm(person, 'Customization', 'Tags')
      await fill(field(person, 'Name'), `Storm ${size}`)
      await send(person, 'Create tag')
      await jumpTo(person, name, new RegExp(`^${name}`))
      await click(linkTo(person, 'Edit'))
      await fill(page.locator('[data-field="tags"]').getByRole('combobox'), `Storm ${size}`)
      await page.getByRole('option', { name: `Storm ${size}`, exact: true }).waitFor()
      await person.press('Enter')
      await send(person, 'Save')
      const { json } = await api.ask('GET', `/api/dcim/sites/${id}/`)
      expect(json.tags).toContainEqual(expect.objectContaining({ slug: `storm-${size}` }))
    },
  },
  {
    name: 'saved-filter',
    title: 'Save the filters of a list and use them again',
    task: 16,
    clicks: { desktop: 4, phone: 6 },
    run: async (person) => {
      const { page, size, fill, click } = person
      await goTo(person, 'Devices', 'Devices')
      await fill(page.getByPlaceholder('Search in this list…'), 'hh-')
      await person.press('Enter')
      await page.waitForURL(/q=hh-/)
      await click(page.locator('summary', { hasText: /^Views/ }))
      await click(linkTo(person, 'Manage filters…'))
      await fill(page.getByLabel('Name', { exact: true }), `Harbour ${size}`)
      await click(button(person, 'Save'))
      await page.waitForURL(/filter_id=/)
      expect(await content(person)).toMatch(/hh-router/)
      expect(await content(person)).not.toMatch(/gr-router/)
    },
  },
  {
    name: 'permission',
    title: 'Let a new user change the devices of one site',
    task: 18,
    clicks: { desktop: 11, phone: 16 },
    run: async (person) => {
      const { api, size, fill } = person
      await openForm(person, 'Admin', 'Users')
      await fill(field(person, 'Username'), `keeper-${size}`)
      await fill(field(person, 'Password'), 'Corr3ct-Horse-Battery')
      await send(person, 'Create user')
      await openForm(person, 'Admin', 'Permissions')
      await fill(field(person, 'Name'), `Gull Rock ${size}`)
      await checkIn(person, 'object_types', 'Device')
      for (const action of ['View', 'Change'])
        await person.click(person.page.getByRole('checkbox', { name: action, exact: true }))
      await checkIn(person, 'users', `keeper-${size}`)
      await fill(field(person, 'Constraints'), '{"site__slug": "gull-rock"}')
      await person.click(button(person, 'Show matching objects'))
      expect(await content(person)).toContain('gr-router')
      await send(person, 'Create permission')
      const { json } = await api.ask('GET', `/api/users/permissions/?name=Gull Rock ${size}`)
      expect(json.results?.[0]).toMatchObject({ actions: ['view', 'change'], users: [{ username: `keeper-${size}` }] })
    },
  },
  {
    name: 'contact',
    title: 'Say whom to call about a device',
    task: 19,
    clicks: { desktop: 4, phone: 4 },
    netbox: 4,
    run: async (person) => {
      const { size, pick } = person
      const device = size === 'phone' ? 'hh-router' : 'hh-switch'
      await jumpTo(person, device, new RegExp(`^${device}`))
      await person.click(linkTo(person, /^Contacts/))
      await person.click(linkTo(person, 'Add a contact'))
      await pick(field(person, 'Contact'), 'Ada Holm')
      await pick(field(person, 'Role'), 'Keeper')
      await send(person, 'Create contact assignment')
      expect(await content(person)).toMatch(/Ada Holm[\s\S]*Keeper/)
    },
  },
  {
    name: 'sign-in',
    title: 'Test the connection to a directory, and see what members of a group may do',
    task: 31,
    clicks: { desktop: 3, phone: 5 },
    run: async (person) => {
      const { page, fill, click } = person
      await goTo(person, 'Admin', 'Sign-in')
      await click(button(person, 'Test connection'))
      await page.getByText('directory does not work:').waitFor()
      await fill(page.getByLabel('Groups at the provider (one per line)'), 'NetOps\nGuests')
      await click(button(person, 'Preview'))
      await page.getByText('mapping of NetOps in the configuration').waitFor()
      expect(await content(person)).toMatch(/Guests: No mapping names this group\./)
    },
  },
  {
    name: 'backup',
    title: 'See when the last and the next backup are',
    task: 39,
    clicks: { desktop: 1, phone: 3 },
    run: async (person) => {
      await goTo(person, 'Admin', 'System')
      expect(await content(person)).toMatch(/Last backup\s*none yet[\s\S]*Next backup[\s\S]*02:30/)
    },
  },
  {
    name: 'context',
    title: 'Give the devices of a site a config context, and see it at one of them',
    task: 40,
    clicks: { desktop: 7, phone: 10 },
    run: async (person) => {
      const { page, size, fill, click } = person
      const [site, device] = size === 'phone' ? ['Gull Rock Lighthouse', 'gr-router'] : ['Harbour House', 'hh-router']
      await openForm(person, 'Provisioning', 'Config Contexts')
      await fill(field(person, 'Name'), `Time ${size}`)
      await fill(field(person, 'Data'), `{"ntp": ["192.0.2.${size.length}"]}`)
      await checkIn(person, 'sites', site)
      await send(person, 'Create config context')
      await jumpTo(person, device, new RegExp(`^${device}`))
      await click(page.getByRole('main').locator('summary', { hasText: 'Configuration' }))
      await click(linkTo(person, /^Config context/))
      expect(await content(person)).toContain(`192.0.2.${size.length}`)
    },
  },
  {
    name: 'hook-test',
    title: 'Send a test to a webhook, and read the response',
    task: 17,
    clicks: { desktop: 3, phone: 5 },
    run: async (person) => {
      const { page, click } = person
      await goTo(person, 'Operations', 'Webhooks')
      await click(linkTo(person, 'Ticket system'))
      await click(button(person, 'Send test'))
      await page.getByRole('heading', { name: 'Response' }).waitFor()
      expect(await content(person)).toMatch(/Status\s*200[\s\S]*answer \d[\s\S]*"method": "POST"/)
    },
  },
  {
    name: 'token',
    title: 'Create a token for a program',
    task: 30,
    clicks: { desktop: 3, phone: 3 },
    run: async (person) => {
      const { page, fill, size } = person
      await person.click(page.locator('.user-menu > summary'))
      await person.click(page.getByRole('link', { name: 'API tokens' }).first())
      await fill(page.getByLabel('Description'), `Backup ${size}`)
      await person.click(button(person, 'Create token'))
      await page.getByText(`Backup ${size}`).first().waitFor()
    },
  },
]

let receiver: Receiver & { close(): void }
afterAll(() => receiver.close())

tellStories(
  'looking after the inventory',
  STORIES,
  async (api) => {
    receiver = await startReceiver()
    await createdId(api, 'extras/webhooks', { name: 'Ticket system', payload_url: receiver.url })
    await createdId(api, 'users/groups', { name: 'operators' })
    await createdId(api, 'tenancy/contacts', { name: 'Ada Holm', phone: '+47 555 01 02' })
    await createdId(api, 'tenancy/contact-roles', { name: 'Keeper', slug: 'keeper' })
  },
  {
    settings: {
      BACKUP_SCHEDULE: '02:30',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      AUTH_PROVIDERS: JSON.stringify([DIRECTORY]),
    },
  },
)

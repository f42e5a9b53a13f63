import { expect } from 'vitest'
import { createdId } from '../../support/requests.ts'
import { button, checkIn, content, field, goTo, jumpTo, linkTo, openForm, send } from './steps.ts'
import { type Story, tellStories } from './story.ts'

const STORIES: readonly Story[] = [
  {
    name: 'custom-field',
    title: 'Add a field with choices of its own to all sites',
    clicks: 11,
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
    clicks: 8,
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
    clicks: 6,
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
    clicks: 16,
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
    clicks: 4,
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
    name: 'token',
    title: 'Create a token for a program',
    clicks: 3,
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

tellStories('looking after the inventory', STORIES, async (api) => {
  await createdId(api, 'tenancy/contacts', { name: 'Ada Holm', phone: '+47 555 01 02' })
  await createdId(api, 'tenancy/contact-roles', { name: 'Keeper', slug: 'keeper' })
})

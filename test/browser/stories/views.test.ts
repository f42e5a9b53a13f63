import { expect } from 'vitest'
import { button, content, field, find, goTo, linkTo } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** Opens the list of sites that a word selects, and the menu in which it is saved. */
async function openViewsOfGullSites(person: Person): Promise<void> {
  const { page } = person
  await goTo(person, 'Organization', 'Sites')
  await person.fill(page.getByPlaceholder('Search in this list…'), 'gull')
  await person.press('Enter')
  await page.waitForURL(/q=gull/)
  await person.click(page.locator('summary', { hasText: /^Views/ }))
}

const STORIES: readonly Story[] = [
  {
    name: 'saved-view',
    title: 'Save a list with its filters as a view, and open it again',
    clicks: { desktop: 7, phone: 10 },
    run: async (person) => {
      const { page, size } = person
      await openViewsOfGullSites(person)
      await person.click(linkTo(person, 'Save this view…'))
      await person.fill(field(person, 'Name'), `Gulls ${size}`)
      await person.click(button(person, 'Save'))
      await page.waitForURL(/view/)
      await goTo(person, 'Organization', 'Sites')
      await person.click(page.locator('summary', { hasText: /^Views/ }))
      await person.click(linkTo(person, `Gulls ${size}`))
      await page.getByRole('rowheader', { name: 'Gull Rock' }).waitFor()
      expect(await content(person)).not.toContain('Harbour House')
    },
  },
  {
    name: 'dynamic-group',
    title: 'Save the filters of a list as a dynamic group, and see its members',
    clicks: { desktop: 4, phone: 6 },
    run: async (person) => {
      const { page, size, api } = person
      await openViewsOfGullSites(person)
      await person.click(linkTo(person, 'Save as dynamic group…'))
      await person.fill(field(person, 'Name'), `Rocks ${size}`)
      await person.click(button(person, 'Save'))
      await page.waitForURL(/dynamic/)
      await page.getByText(`Rocks ${size}`).first().waitFor()
      const { json } = await api.ask('GET', `/api/dcim/sites/?dynamic_group=rocks-${size}`)
      expect(json.results?.map(({ name }) => name)).toEqual(['Gull Rock Lighthouse'])
    },
  },
  {
    name: 'compare',
    title: 'See what has changed at a site since a time',
    clicks: { desktop: 4, phone: 4 },
    run: async (person) => {
      const { page, api, size } = person
      const from = new Date().toISOString().slice(0, 19)
      const { json } = await api.ask('GET', '/api/dcim/sites/?name=Harbour House')
      await api.ask('PATCH', `/api/dcim/sites/${json.results?.[0]?.id}/`, { body: { facility: `Quay ${size}` } })
      await find(person, 'Harbour House', 'Harbour House')
      await person.click(page.locator('.time-menu > summary'))
      await person.click(linkTo(person, 'Compare two times'))
      await page.waitForURL(/compare/)
      await person.fill(page.getByLabel('From'), from)
      await person.click(button(person, 'Compare'))
      await page.getByText('Differences').waitFor()
      expect(await content(person)).toContain(`Quay ${size}`)
    },
  },
  {
    name: 'elevation',
    title: 'Export the front of a rack as a drawing',
    netbox: 2,
    clicks: { desktop: 2, phone: 2 },
    run: async (person) => {
      await find(person, 'HH-1', 'HH-1')
      await person.click(linkTo(person, 'Front as SVG'))
      await person.page.waitForURL(/render=svg/)
      expect(await person.page.locator('svg').first().textContent()).toContain('hh-router')
    },
  },
]

tellStories('views and times', STORIES, async () => {})

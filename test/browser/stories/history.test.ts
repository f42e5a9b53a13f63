import { expect } from 'vitest'
import { button, content, find, linkTo } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** The name of the router that was set offline by mistake. */
const ROUTER = 'hh-router'

/** Status of the router, according to the API. */
async function statusOf({ api }: Person): Promise<unknown> {
  const { json } = await api.ask('GET', `/api/dcim/devices/?name=${ROUTER}`)
  return json.results?.[0]?.status?.value
}

const STORIES: readonly Story[] = [
  {
    name: 'undo',
    title: 'Undo a mistake from the change log',
    task: 6,
    clicks: { desktop: 5, phone: 5 },
    run: async (person) => {
      const { page, api } = person
      const { json } = await api.ask('GET', `/api/dcim/devices/?name=${ROUTER}`)
      const before = await statusOf(person)
      await api.ask('PATCH', `/api/dcim/devices/${json.results?.[0]?.id}/`, {
        body: { status: 'offline', changelog_message: 'The wrong router' },
      })
      await find(person, ROUTER, ROUTER)
      await person.click(linkTo(person, /^Changelog/))
      await page.getByText('The wrong router').first().waitFor()
      await person.click(page.locator('ol.changes > li').first().getByRole('link').first())
      await person.click(linkTo(person, 'Undo this change'))
      await page.getByText('What happens').waitFor()
      expect(await content(person)).toMatch(/Offline[\s\S]*Active/)
      await person.click(button(person, 'Undo 1 change'))
      await page.waitForURL(/\/dcim\/devices\/\d+\/\?saved=undone/)
      await page.getByText('1 change undone.').waitFor()
      expect(await statusOf(person)).toBe(before)
    },
  },
]

tellStories('the history of the inventory', STORIES, async () => undefined)

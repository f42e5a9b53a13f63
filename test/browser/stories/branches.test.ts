import { expect } from 'vitest'
import { button, content, field, find, linkTo, send } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** Status of the switch on main, according to the API. */
async function statusOf({ api }: Person): Promise<unknown> {
  const { json } = await api.ask('GET', '/api/dcim/devices/?name=gr-switch')
  return json.results?.[0]?.status?.value
}

const STORIES: readonly Story[] = [
  {
    name: 'branch',
    title: 'Prepare a change in a branch, review and merge it',
    clicks: 12,
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
]

tellStories('branches', STORIES, async () => undefined)

import type { Person } from './story.ts'

// Steps that several stories take.

/** The name of an object as a link of the page's content. */
export const linkTo = ({ page }: Person, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('link', { name, exact: typeof name === 'string' })
    .first()

/** A button of the page's content. */
export const button = ({ page }: Person, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()

/** The text of the page's content. */
export const content = async ({ page }: Person): Promise<string> => (await page.getByRole('main').textContent()) ?? ''

/** Searches everything and opens a result. */
export async function find(person: Person, text: string, name: string | RegExp): Promise<void> {
  const { page } = person
  await person.type(page.getByRole('combobox', { name: 'Search everything' }), text)
  await person.press('Enter')
  await page.waitForURL(/\/search\//)
  await person.click(linkTo(person, name))
  await page.waitForURL(/\/\d+\/$/)
}

/** Opens a list from the menu, which has a button of its own on a phone. */
export async function openList(person: Person, subject: string, list: string): Promise<void> {
  const { page } = person
  if (person.size === 'phone') await person.click(page.getByText('Menu', { exact: true }))
  const menu = page.getByRole('navigation', { name: 'Inventory' })
  await person.click(menu.getByText(subject, { exact: true }).first())
  await person.click(menu.getByRole('link', { name: list, exact: true }))
  await page.getByRole('heading', { level: 1, name: list }).waitFor()
}

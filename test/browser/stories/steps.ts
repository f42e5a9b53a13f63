import type { Person } from './story.ts'

// Steps that several stories share.

/** A name as a whole, whatever the case of its words: of `Device Roles` only the first has a capital. */
const named = (name: string | RegExp): RegExp =>
  typeof name === 'string' ? new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`, 'i') : name

/** The name of an object as a link of the page's content. */
export const linkTo = ({ page }: Person, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('link', { name: named(name) })
    .first()

/** A button of the page's content. */
export const button = ({ page }: Person, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('button', { name: named(name) })
    .first()

/** The text of the page's content. */
export const content = async ({ page }: Person): Promise<string> => (await page.getByRole('main').textContent()) ?? ''

/** Searches everything and opens a result, unless the search opens the only object of this name by itself. */
export async function find(person: Person, text: string, name: string | RegExp): Promise<void> {
  const { page } = person
  const before = page.url()
  await person.type(page.getByRole('combobox', { name: 'Search everything' }), text)
  await person.press('Enter')
  await page.waitForURL((url) => url.href !== before)
  if (page.url().includes('/search/')) await person.click(linkTo(person, name))
  await page.waitForURL(/\/\d+\/$/)
}

/** Opens a list from the menu, which has its own button on a phone. */
export async function openList(person: Person, subject: string, list: string): Promise<void> {
  const { page } = person
  if (person.size === 'phone') await person.click(page.getByRole('button', { name: 'Menu' }))
  const menu = page.getByRole('navigation', { name: 'Inventory' })
  await menu.waitFor()
  const link = menu.getByRole('link', { name: named(list) })
  // The subject of the page is open already.
  if (!(await link.isVisible())) await person.click(menu.getByText(subject, { exact: true }).first())
  await person.click(link)
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${list}\\b`, 'i') }).waitFor()
}

/** A field of a form by its label, without the mark of required ones. */
export const field = ({ page }: Person, label: string) =>
  page
    .getByRole('main')
    .getByLabel(new RegExp(`^${label.replaceAll(/[()]/g, '\\$&')}( \\*)?$`, 'i'))
    .first()

/** Opens an object that the search suggests for a text. */
export async function jumpTo(person: Person, text: string, name: string | RegExp): Promise<void> {
  const { page } = person
  await page.getByRole('combobox', { name: 'Search everything' }).fill(text)
  await person.click(page.getByRole('option', { name }).first())
  await page.waitForURL(/\/\d+\/$/)
}

/** Opens a page from the menu: with the keyboard through the search, without a keyboard from the menu itself. */
export async function goTo(person: Person, subject: string, list: string): Promise<void> {
  const { page } = person
  if (person.size === 'phone') return await openList(person, subject, list)
  await choosePage(person, list)
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${list}\\b`, 'i') }).waitFor()
}

/** As `goTo`, the form for another object of the list. */
export async function openForm(person: Person, subject: string, list: string): Promise<void> {
  if (person.size === 'phone') {
    await openList(person, subject, list)
    await person.click(linkTo(person, /^(\+ )?Add/))
  } else await choosePage(person, `Add ${list.replace(/(?<!si)s$/, '')}`)
  await person.page.waitForURL(/\/add\//)
}

async function choosePage(person: Person, label: string): Promise<void> {
  const { page } = person
  await person.press('ControlOrMeta+K')
  await person.fill(page.getByRole('combobox', { name: 'Search everything' }), label)
  await person.click(page.getByRole('option', { name: new RegExp(`^${label}\\b`, 'i') }).first())
}

/** Adds an option to those that are chosen in a field. */
export async function checkIn(person: Person, name: string, option: string): Promise<void> {
  const field = person.page.locator(`[data-field="${name}"]`).getByRole('combobox')
  await person.type(field, option)
  await person.click(person.page.getByRole('option', { name: option, exact: true }))
}

/** Searches the port at the other end of a cable; Enter takes the only match. */
export async function findPort(person: Person, text: string): Promise<void> {
  const { page } = person
  await person.fill(page.getByRole('searchbox', { name: 'Device and port' }), text)
  await person.press('Enter')
  await page.locator('search.far-end').waitFor({ state: 'detached' })
}

/** Sends the form of an object and waits for the page that it leads back to. */
export async function send(person: Person, name: string): Promise<void> {
  await person.click(button(person, name))
  await person.page.waitForURL((url) => !/\/(add|edit)\//.test(url.pathname))
}

/** Opens the menu with which an object's page adds related objects, and chooses an entry. */
export async function addFromMenu(person: Person, menu: string, entry: string): Promise<void> {
  await person.click(person.page.getByRole('main').locator('summary', { hasText: menu }).first())
  await person.click(linkTo(person, entry))
  await person.page.waitForURL(/\/add\//)
}

/** Opens the form for an object that a field lacks, in a tab beside the form. */
export async function addBeside({ click }: Person, from: Person['page'], name: string): Promise<Person['page']> {
  const opened = from.waitForEvent('popup')
  await click(from.locator(`[data-field="${name}"] a.create`))
  return await opened
}

/** Fills the form in a tab beside, saves it and waits until it is closed. */
export async function saveBeside(
  { click }: Person,
  tab: Person['page'],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) await tab.locator(`[name="${name}"]`).fill(value)
  const closed = tab.waitForEvent('close')
  await click(tab.locator('.buttons button[name="_save"]'))
  await closed
}

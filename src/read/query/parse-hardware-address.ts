/** Groups of hexadecimal digits: their number, their maximum length, and the separator. */
interface Spelling {
  readonly groups: number
  readonly digits: number
  readonly separators: string
}

const SPELLINGS: Readonly<Record<6 | 8, readonly Spelling[]>> = {
  6: [
    { groups: 6, digits: 2, separators: ':-' },
    { groups: 3, digits: 4, separators: ':-.' },
    { groups: 2, digits: 6, separators: ':-' },
    { groups: 1, digits: 12, separators: '' },
  ],
  8: [
    { groups: 8, digits: 2, separators: ':-' },
    { groups: 4, digits: 4, separators: ':-.' },
    { groups: 1, digits: 16, separators: '' },
  ],
}

/**
 * A hardware address of 6 or 8 bytes in any usual spelling (00:11:22:33:44:55, 0011.2233.4455, 001122-334455,
 * 001122334455) as lower case with colons; undefined for anything else. Leading zeros of a group may be left out if
 * there are several groups.
 */
export function parseHardwareAddress(text: string, bytes: 6 | 8): string | undefined {
  const spelling = text.trim().toLowerCase()
  for (const { groups, digits, separators } of SPELLINGS[bytes]) {
    const parts = splitBy(spelling, separators)
    if (parts?.length !== groups) continue
    const least = groups === 1 ? digits - 1 : groups === 2 ? digits - 1 : 1
    if (!parts.every((group) => new RegExp(`^[0-9a-f]{${least},${digits}}$`).test(group))) continue
    const padded = parts.map((group) => group.padStart(digits, '0')).join('')
    return padded.match(/../g)?.join(':')
  }
  return undefined
}

/** Parts between equal separators; undefined if separators are mixed. */
function splitBy(text: string, separators: string): readonly string[] | undefined {
  const used = [...separators].filter((separator) => text.includes(separator))
  return used.length > 1 ? undefined : text.split(used[0] ?? '\0')
}

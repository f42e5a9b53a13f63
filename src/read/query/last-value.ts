/** The last value of a parameter: if a parameter must not repeat, clients expect the last value to win. */
export const lastValue = (search: URLSearchParams, name: string): string | undefined => search.getAll(name).at(-1)

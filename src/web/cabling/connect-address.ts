/** Last segment of the address of the page that connects several ports, below the list of cables. */
export const CONNECT = 'connect'

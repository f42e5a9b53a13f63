/** A button that a script adds to a page. */
export function makeButton(text: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = text
  button.addEventListener('click', act)
  return button
}

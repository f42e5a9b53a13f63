/** Files that are dragged to a form are those of its field; a form that needs nothing else is sent at once. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-drop]')) {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) continue
  const mark = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    form.classList.add('dropping')
  }
  form.addEventListener('dragenter', mark)
  form.addEventListener('dragover', mark)
  form.addEventListener('dragleave', () => form.classList.remove('dropping'))
  form.addEventListener('drop', (event) => {
    form.classList.remove('dropping')
    const { files } = event.dataTransfer ?? {}
    if (!files || files.length === 0) return
    event.preventDefault()
    input.files = files
    if (form.checkValidity()) form.requestSubmit()
    else form.reportValidity()
  })
}

/**
 * Optional functions of the pages with JavaScript: the list is filtered during typing, and calls have a copy button.
 * Without it the search is a form, which the server handles.
 */
export const SCRIPT = `
const box = document.querySelector('input[type=search]');
const entries = [...document.querySelectorAll('ul.operations li')];
const status = document.querySelector('[role=status]');
if (box && entries.length > 0) {
  box.addEventListener('input', () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) shown += 1;
    }
    for (const part of document.querySelectorAll('section[data-area]')) {
      part.hidden = part.querySelector('ul.operations li:not([hidden])') === null;
    }
    status.textContent = shown + (shown === 1 ? ' operation' : ' operations');
  });
}
for (const example of document.querySelectorAll('.example')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(example.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  example.append(button);
}
`;

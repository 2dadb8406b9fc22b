/**
 * The script of the pages at `/_local`: shows changes as the stream reports them, copies, and shows the time. Without it the
 * pages are complete, and show changes when they are loaded again. The HTML of the stream is escaped where it is made.
 */
export const SCRIPT = `
const byId = (id) => document.getElementById(id);

function prepare(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-copy]');
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  byId('copied').textContent = button.textContent;
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
});

/** Replaces an element; what was open stays open, and the focus stays in it. */
function replace(old, text) {
  const holder = document.createElement('template');
  holder.innerHTML = text;
  const made = holder.content.firstElementChild;
  for (const { id } of old.querySelectorAll('details[open][id]')) holder.content.getElementById(id)?.setAttribute('open', '');
  if (old.matches('details[open]')) made.setAttribute('open', '');
  const focused = old.contains(document.activeElement) ? document.activeElement.closest('[id]')?.id : undefined;
  prepare(made);
  old.replaceWith(made);
  if (focused) (byId(focused)?.querySelector('summary, button, a') ?? byId(focused))?.focus();
}

/** Puts a new entry first. */
function add(list, text) {
  const holder = document.createElement('template');
  holder.innerHTML = text;
  prepare(holder.content);
  const made = holder.content.firstElementChild;
  made.classList.add('new');
  list.prepend(made);
  for (const none of document.querySelectorAll('[data-none]')) none.hidden = true;
  while (list.children.length > 200) list.lastElementChild.remove();
}

function follow() {
  const source = new EventSource('/_local/stream?since=' + document.body.dataset.since);
  const on = (name, handle) => source.addEventListener(name, ({ data }) => handle(JSON.parse(data)));
  on('trace', ({ id, html }) => {
    const list = byId('timeline');
    if (!list) return;
    if (byId(id)) replace(byId(id), html); else add(list, html);
  });
  on('mail', ({ id, html }) => {
    const list = byId('mail');
    if (list && !byId(id)) add(list, html);
  });
  on('part', ({ id, html }) => {
    if (byId(id)) replace(byId(id), html);
    tick();
  });
  on('reset', () => location.replace('/_local'));
  source.addEventListener('open', () => { byId('trouble').hidden = true; });
  source.addEventListener('error', () => {
    byId('trouble').textContent = 'The service does not respond. This page continues when it does.';
    byId('trouble').hidden = false;
  });
  addEventListener('pagehide', () => source.close());
}

function tick() {
  const time = document.querySelector('[data-offset]');
  if (time) time.textContent = new Date(Date.now() + time.dataset.offset * 1000).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
}

prepare(document);
tick();
setInterval(() => { if (!document.hidden) tick(); }, 1000);
follow();
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
`;

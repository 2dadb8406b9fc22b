/**
 * The script of the console: the palette, shortcuts, copying, times in the reader's zone, selection, and the live tail of events. Every page
 * works without it. It makes text nodes only, since the pages' policy allows no HTML sinks (`require-trusted-types-for 'script'`).
 */
export const SCRIPT = `
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, members, ...children) => {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
};

const spans = [['year', 31536000], ['month', 2592000], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
// Times are compared with that of the service when it made the page, plus the time since then: the clock of the browser may be wrong.
const lead = Date.parse(document.documentElement.dataset.now) - Date.now() || 0;
const serviceNow = () => Date.now() + lead;
const distance = (time) => {
  const seconds = (time - serviceNow()) / 1000;
  const [unit, length] = spans.find(([, least]) => Math.abs(seconds) >= least) ?? spans.at(-1);
  return relative.format(Math.round(seconds / length), unit);
};
const localize = (root) => {
  for (const element of all('time[datetime]', root)) {
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    element.title = absolute.format(time) + ' (your time), ' + element.dateTime;
    const text = Math.abs(time - serviceNow()) < 2592000000 ? [distance(time)] : [];
    if (element.className === 'at') text.unshift(absolute.format(time));
    else if (text.length === 0 || element.closest('dd,.lead')) text.push(absolute.format(time));
    element.textContent = text.join(' · ');
  }
};
localize(document);
setInterval(() => { if (!document.hidden) localize(document); }, 30000);

const copyable = (root) => {
  if (navigator.clipboard === undefined) return;
  for (const code of all('code.id,.call pre code', root)) {
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    button.setAttribute('aria-label', 'Copy ' + (code.className === 'id' ? code.textContent : 'the command'));
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    (code.className === 'id' ? code : code.parentElement).after(button);
  }
};
copyable(document);

for (const form of document.forms) {
  let sent = false;
  if (form.method !== 'post') continue;
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  window.addEventListener('pageshow', () => { sent = false; });
}

const selection = document.querySelector('[data-selection]');
if (selection) {
  const boxes = all('input[name^="pick:"]');
  const every = make('input', { type: 'checkbox', id: 'every' });
  const count = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    selection.textContent = chosen + ' selected';
    every.checked = chosen > 0 && chosen === boxes.length;
    every.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  every.addEventListener('change', () => { for (const box of boxes) box.checked = every.checked; count(); });
  for (const box of boxes) box.addEventListener('change', count);
  if (boxes.length > 0) selection.before(make('label', {}, every, ' Select all on this page'));
  window.addEventListener('pageshow', count);
}

const rest = document.querySelector('form[data-continue]');
if (rest) setTimeout(() => { if (document.contains(rest)) rest.requestSubmit(); }, 400);

const search = document.querySelector('form.find');
const pages = all('.rail a[href]').filter((link) => link.className !== 'close').map((link) => ({
  title: link.dataset.title ?? link.textContent.trim(), kind: 'Page', address: link.href, key: link.dataset.key,
}));

const palette = (() => {
  const input = make('input', { type: 'text', placeholder: 'Search or go to …', autocomplete: 'off', spellcheck: false });
  const list = make('ul', { id: 'hits' });
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  for (const [name, value] of [['role', 'combobox'], ['aria-expanded', 'true'], ['aria-controls', 'hits'], ['aria-label', 'Search or go to a page']]) input.setAttribute(name, value);
  const status = make('p', { textContent: 'Arrow keys to choose, Enter to open, Escape to close.' });
  status.setAttribute('role', 'status');
  const dialog = make('dialog', {}, input, list, status);
  dialog.setAttribute('aria-label', 'Palette');
  document.body.append(dialog);
  let hits = [];
  let chosen = 0;
  let timer;
  let asked = 0;
  const choose = (next) => {
    chosen = hits.length === 0 ? 0 : (next + hits.length) % hits.length;
    all('li', list).forEach((item, at) => {
      item.setAttribute('aria-selected', String(at === chosen));
      if (at === chosen) { item.scrollIntoView({ block: 'nearest' }); input.setAttribute('aria-activedescendant', item.id); }
    });
  };
  const open = (at) => { if (hits[at]) location.assign(hits[at].address); };
  const show = (found) => {
    hits = found;
    list.replaceChildren(...hits.map((hit, at) => {
      const item = make('li', { id: 'hit' + at }, make('span', { textContent: hit.title }), make('small', { textContent: hit.key ? 'g ' + hit.key : hit.kind }));
      item.setAttribute('role', 'option');
      item.addEventListener('click', () => open(at));
      return item;
    }));
    choose(0);
  };
  const matching = (text) => pages.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  const ask = async (text) => {
    const mine = ++asked;
    const response = await fetch(search.action + '.json?' + new URLSearchParams({ q: text }), { headers: { accept: 'application/json' } }).catch(() => undefined);
    if (mine !== asked || !response?.ok) return;
    const found = await response.json();
    // Only addresses of this console.
    const own = found.hits.filter(({ address }) => address.startsWith('/console/'));
    show([...matching(text), ...own]);
    status.textContent = own.length === 0 ? 'No records found. ' + (found.hint ?? '') : own.length + ' records found.';
  };
  input.addEventListener('input', () => {
    const text = input.value.trim();
    show(text === '' ? pages : matching(text));
    clearTimeout(timer);
    asked++;
    if (text.length > 1 && search) timer = setTimeout(() => ask(text), 180);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') {
      if (hits[chosen]) open(chosen);
      else if (search) location.assign(search.action + '?' + new URLSearchParams({ q: input.value }));
    } else return;
    event.preventDefault();
  });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  return () => {
    if (dialog.open) return dialog.close();
    input.value = '';
    show(pages);
    dialog.showModal();
    input.focus();
  };
})();

const typing = (target) => target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null;
let prefix = 0;
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    palette();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === '/') {
    event.preventDefault();
    const field = search?.querySelector('input');
    if (field) field.focus(); else palette();
    return;
  }
  if (event.key === 'g') { prefix = Date.now(); return; }
  const page = Date.now() - prefix < 1500 && pages.find(({ key }) => key === event.key);
  prefix = 0;
  if (page) location.assign(page.address);
});

// Escape closes what is open around the focus, and the menu of the account closes when the focus leaves it, so that neither covers what has it.
document.addEventListener('keydown', (event) => {
  const opened = event.key === 'Escape' && document.activeElement?.closest('details.act[open],.top details[open]');
  if (!opened) return;
  opened.open = false;
  opened.querySelector('summary').focus();
});
const account = document.querySelector('.top details');
account?.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget !== null && !account.contains(relatedTarget)) account.open = false;
});

for (const mark of all('.find kbd')) mark.hidden = false;

const tail = document.querySelector('[data-tail]');
if (tail) {
  const body = tail.querySelector('tbody');
  const status = make('span', { className: 'hint' });
  status.setAttribute('role', 'status');
  const button = make('button', { type: 'button', className: 'button', textContent: 'Follow live' });
  document.querySelector('[data-tail-place]').append(button, ' ', status);
  let after = tail.dataset.after;
  let until = 0;
  let timer;
  const stop = (text) => { clearTimeout(timer); until = 0; button.textContent = 'Follow live'; status.textContent = text; };
  const step = async () => {
    if (Date.now() > until) return stop('Stopped after ten minutes.');
    if (!document.hidden) {
      const response = await fetch(tail.dataset.tail + (tail.dataset.tail.includes('?') ? '&' : '?') + new URLSearchParams({ after }), { headers: { accept: 'application/json' } }).catch(() => undefined);
      if (until === 0) return;
      if (response?.ok !== true) return stop('The events could not be read. Follow again to retry.');
      const { rows, behind } = await response.json();
      for (const row of rows) {
        const link = make('a', { textContent: row.event });
        link.href = row.address.startsWith('/console/') ? row.address : '#';
        const time = make('time', { dateTime: row.time, textContent: row.time });
        const cells = [make('td', {}, link), make('td', {}, make('code', { className: 'id', textContent: row.subject })), make('td', { textContent: row.actor }), make('td', { className: 'when' }, time)];
        cells.forEach((cell, at) => { cell.dataset.l = ['Event', 'About', 'Actor', 'Time'][at]; });
        const line = make('tr', {}, ...cells);
        body.prepend(line);
        localize(line);
        copyable(line);
        after = row.id;
      }
      while (body.rows.length > 200) body.lastElementChild.remove();
      status.textContent = 'Live. New events appear ' + behind + ' s after they happened.';
    }
    timer = setTimeout(step, 2000);
  };
  button.addEventListener('click', () => {
    if (until > 0) return stop('Paused.');
    until = Date.now() + 600000;
    button.textContent = 'Pause';
    status.textContent = 'Waiting for events …';
    step();
  });
}
`.trimStart();

import { rank } from '../search/rank.ts';

/**
 * The script of the pages: search while typing, tabs of languages, copying, and calls that are tried from the page. Without it
 * the search is a form, which the service handles, and all languages are visible. All text of the index and of responses is set
 * as text, never as markup.
 */
export const SCRIPT = `
const rank = ${rank.toString()};
const make = (name, more = {}, ...children) => {
  const element = Object.assign(document.createElement(name), more);
  element.append(...children);
  return element;
};
const box = document.getElementById('search-field');
const status = document.querySelector('[role=status]');
const list = make('ul', { id: 'results', hidden: true });
list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', 'Results');
box.form.append(list);
for (const [name, value] of Object.entries({ role: 'combobox', 'aria-controls': 'results', 'aria-expanded': 'false', 'aria-autocomplete': 'list' })) box.setAttribute(name, value);
let index;
let chosen = -1;
const load = () => (index ??= fetch('/docs/search.json').then((response) => response.json()));
const close = () => { list.hidden = true; box.setAttribute('aria-expanded', 'false'); box.removeAttribute('aria-activedescendant'); };
function choose(at) {
  const items = [...list.children];
  if (items.length === 0) return;
  chosen = (at + items.length) % items.length;
  items.forEach((item, own) => item.setAttribute('aria-selected', String(own === chosen)));
  items[chosen].scrollIntoView({ block: 'nearest' });
  box.setAttribute('aria-activedescendant', items[chosen].id);
}
async function search() {
  const query = box.value.trim();
  if (query === '') return close();
  const hits = rank(await load(), query);
  if (box.value.trim() !== query) return;
  list.replaceChildren(...hits.map(({ t, k, u, d }, at) => {
    const link = make('a', { href: u, tabIndex: -1 }, make('span', { className: 'kind', textContent: k }), ' ', t, make('small', { textContent: d }));
    const item = make('li', { id: 'result-' + at }, link);
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', 'false');
    return item;
  }));
  chosen = -1;
  list.hidden = hits.length === 0;
  box.setAttribute('aria-expanded', String(hits.length > 0));
  status.textContent = hits.length + (hits.length === 1 ? ' result' : ' results');
  if (hits.length > 0) choose(0);
}
box.addEventListener('focus', load);
box.addEventListener('input', search);
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
  if (list.hidden) return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
  }
  if (event.key === 'Enter' && chosen >= 0) {
    event.preventDefault();
    location.assign(list.children[chosen].querySelector('a').href);
    close();
  }
});
document.addEventListener('click', (event) => { if (!box.form.contains(event.target)) close(); });
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  box.focus();
  box.select();
});

function copyButton(read) {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(await read());
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return button;
}
const stored = (name, value) => {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch { return null; }
};
const groups = [];
function showLanguage(language) {
  for (const { panels, tabs } of groups) {
    const title = panels.some((panel) => panel.dataset.language === language) ? language : 'curl';
    panels.forEach((panel) => { panel.hidden = panel.dataset.language !== title; });
    tabs.forEach((tab) => {
      const isChosen = tab.textContent === title;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    });
  }
}
let counted = 0;
for (const group of document.querySelectorAll('[data-tabs]')) {
  const panels = [...group.querySelectorAll('[data-language]')];
  const bar = make('div', { className: 'bar' });
  const tablist = make('div');
  tablist.setAttribute('role', 'tablist');
  tablist.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel) => {
    panel.querySelector('.bar').remove();
    panel.setAttribute('role', 'tabpanel');
    panel.id = 'panel-' + (counted += 1);
    const tab = make('button', { type: 'button', id: 'tab-' + counted, textContent: panel.dataset.language });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => { stored('gatehouse-language', tab.textContent); showLanguage(tab.textContent); });
    return tab;
  });
  tablist.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
  tablist.append(...tabs);
  bar.append(tablist, copyButton(() => panels.find((panel) => !panel.hidden).querySelector('code').textContent));
  group.prepend(bar);
  groups.push({ panels, tabs });
}
showLanguage(stored('gatehouse-language') ?? 'curl');
for (const bar of document.querySelectorAll('.example:not([data-tabs]) > .bar')) {
  const code = bar.parentElement.querySelector('code');
  if (code) bar.append(copyButton(() => code.textContent));
}
const markdown = document.querySelector('[data-copy-page]');
if (markdown) {
  const button = copyButton(async () => (await fetch(markdown.href)).text());
  button.setAttribute('aria-label', 'Copy this page as Markdown');
  markdown.after(button);
}

let apiKey = '';
const isLocal = /^(localhost|127\\.0\\.0\\.1|\\[::1\\])$/.test(location.hostname);
for (const box of document.querySelectorAll('details.try')) {
  box.addEventListener('toggle', async () => {
    const field = box.querySelector('[name=key]');
    if (!box.open || !field || field.value) return;
    if (apiKey === '' && isLocal) {
      const started = await fetch('/_local/start').catch(() => undefined);
      if (started?.ok) apiKey = (await started.json()).api_key ?? '';
    }
    field.value = apiKey;
  });
}
for (const form of document.querySelectorAll('[data-try]')) {
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const output = form.querySelector('output');
    const { method, path, keyed } = form.dataset;
    const data = new FormData(form);
    apiKey = data.get('key') || apiKey;
    const query = new URLSearchParams();
    for (const [name, value] of data) if (name.startsWith('query:') && value !== '') query.append(name.slice(6), value);
    const target = path.replace(/\\{(\\w+)\\}/g, (_, name) => encodeURIComponent(data.get('path:' + name) ?? '')) + (query.size > 0 ? '?' + query : '');
    const headers = {};
    if (keyed === 'yes' && apiKey !== '') headers.authorization = 'Bearer ' + apiKey;
    const body = data.get('body');
    if (body !== null && body.trim() !== '') headers['content-type'] = 'application/json';
    output.textContent = 'Sending …';
    try {
      const startedAt = performance.now();
      const response = await fetch(target, { method, headers, credentials: 'omit', redirect: 'manual', ...(headers['content-type'] && { body }) });
      const text = await response.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
      const time = Math.round(performance.now() - startedAt);
      const line = make('p', {}, make('strong', { textContent: String(response.status || 'redirect') }), ' in ' + time + ' ms ', make('code', { textContent: response.headers.get('x-request-id') ?? '' }));
      output.replaceChildren(line, make('pre', { tabIndex: 0 }, make('code', { textContent: shown })));
    } catch (error) {
      output.textContent = 'The call was not sent: ' + error.message;
    }
  });
}

const marks = new Map([...document.querySelectorAll('.rail li li li a[href^="#"], .rail li ul li a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
if (marks.size > 0) {
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const link of marks.values()) link.removeAttribute('aria-current');
      marks.get(target.querySelector('h2').id)?.setAttribute('aria-current', 'location');
    }
  }, { rootMargin: '-10% 0px -80% 0px' });
  for (const part of document.querySelectorAll('.operation')) seen.observe(part);
}
document.querySelector('.rail [aria-current=page]')?.scrollIntoView({ block: 'nearest' });
for (const link of document.querySelectorAll('.rail a')) link.addEventListener('click', () => { if (location.hash === '#navigation') location.hash = 'content'; });
`;

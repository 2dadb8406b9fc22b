/** The style of the page at `/_local`. */
export const style = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { margin: 0 auto; max-width: 84rem; padding: 0 1rem 2rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.25rem; } h1 small { font-weight: normal; opacity: .7; } h2 { font-size: 1rem; }
input { width: 7em; font: inherit; } button { font: inherit; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 0 2rem; }
ol { list-style: none; margin: 0; padding: 0; } li { border-top: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; } time { opacity: .7; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; font-size: .85rem; }
code { font-size: 1.05em; } .bad { color: light-dark(#a40000, #ff8a80); } .none { opacity: .7; }
section:has(li) .none { display: none; } #trouble { border: 1px solid; padding: .5rem; }
@media (max-width: 30rem) { main { grid-template-columns: 1fr; } }
`;

/**
 * The script of the page at `/_local`: polls once a second and shows changes. All external data is set as text, never
 * as markup.
 */
export const script = `
const byId = (id) => document.getElementById(id);
const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text ?? '' }, more);
// The second header keeps these calls out of the terminal's request lines.
const headers = { authorization: 'Bearer ' + apiKey, 'x-gatehouse-page': '1' };

async function ask(path, options = {}) {
  const response = await fetch(path, options);
  if (!response.ok) throw new Error(path + ' answered ' + response.status);
  return response.json();
}

function entry(id, summary, time, details) {
  const item = make('li', '', { id });
  const box = make('details');
  const head = make('summary', summary + ' ');
  head.append(make('time', time.slice(11, 19), { dateTime: time, title: time }));
  box.append(head, ...details);
  item.append(box);
  return item;
}

/** Adds what is not shown yet, in order, and removes what is gone; what is open stays open. */
function show(listId, records, render) {
  const list = byId(listId);
  const wanted = new Map(records.map((record) => [listId + '-' + record.key, record]));
  for (const item of [...list.children]) {
    const record = wanted.get(item.id);
    if (record === undefined || item.dataset.state !== record.state) item.remove();
  }
  let before = list.firstElementChild;
  for (const [id, record] of wanted) {
    if (before?.id === id) { before = before.nextElementSibling; continue; }
    const item = byId(id) ?? render(id, record.value);
    item.dataset.state = record.state;
    list.insertBefore(item, before);
  }
}

const keyed = (values, keyOf = ({ id }) => id, stateOf = () => '') =>
  values.map((value) => ({ key: keyOf(value), state: String(stateOf(value)), value }));

function messageEntry(id, message) {
  const details = [];
  if (message.code !== null) {
    const line = make('p', 'Code ');
    line.append(make('code', message.code));
    details.push(line);
  }
  for (const link of message.links) {
    const line = make('p');
    line.append(make('a', link, { href: link, rel: 'noreferrer', target: '_blank' }));
    details.push(line);
  }
  details.push(make('pre', message.text ?? message.html));
  if (message.channel === 'email') {
    const line = make('p', 'Let it come back: ');
    for (const kind of ['bounce', 'transient_bounce', 'complaint']) {
      const button = make('button', kind.replace('_', ' '), { type: 'button' });
      const body = JSON.stringify({ message_id: message.id, kind });
      button.addEventListener('click', () => ask('/_local/feedback', { method: 'POST', body }));
      line.append(button, ' ');
    }
    details.push(line);
  }
  const subject = message.subject ?? (message.text ?? '').slice(0, 60);
  return entry(id, (message.channel === 'email' ? 'Mail' : 'Text') + ' to ' + message.to + ': ' + subject, message.created_at, details);
}

const eventEntry = (id, event) =>
  entry(id, event.event, event.created_at, [make('pre', JSON.stringify(event, null, 2))]);

function attemptEntry(id, delivery) {
  const { path, endpoint, event, state, attempt_count: count, updated_at: time } = delivery;
  const details = make('pre', '…');
  const item = entry(id, event + ' → ' + endpoint + ': ' + state + ' after ' + count, time, [details]);
  item.classList.toggle('bad', state === 'failed' || state === 'dropped');
  item.firstElementChild.addEventListener('toggle', async ({ target }) => {
    if (!target.open) return;
    details.textContent = JSON.stringify(await ask(path, { headers }), null, 2);
  });
  return item;
}

const faultEntry = (id, fault) =>
  entry(id, fault.kind + ' of ' + fault.target + ', met ' + fault.met + ' times', '', [make('pre', JSON.stringify(fault, null, 2))]);

/** The deliveries of each endpoint, newest first, through the API. */
async function deliveries() {
  const endpoints = await ask('/webhook_endpoints?limit=20', { headers }).catch(() => ({ data: [] }));
  const lists = await Promise.all(endpoints.data.map(async ({ id, endpoint_url: endpoint }) => {
    const path = '/x/webhook_endpoints/' + id + '/deliveries';
    const { data } = await ask(path + '?limit=20', { headers });
    return data.map((delivery) => ({ ...delivery, endpoint, path: path + '/' + delivery.id }));
  }));
  return lists.flat().sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1)).slice(0, 50);
}

async function refresh() {
  try {
    const [clock, messages, events, faults, attempts] = await Promise.all([
      ask('/_local/clock'), ask('/_local/messages'), ask('/_local/events'), ask('/_local/faults'), deliveries(),
    ]);
    byId('clock').textContent = clock.now;
    show('messages', keyed(messages.data.slice(0, 100)), messageEntry);
    show('events', keyed(events.data), eventEntry);
    show('faults', keyed(faults.data, ({ id }) => id, ({ met }) => met), faultEntry);
    show('attempts', keyed(attempts, ({ id }) => id, ({ state, attempt_count: count }) => state + count), attemptEntry);
    byId('trouble').hidden = true;
  } catch (error) {
    byId('trouble').textContent = 'The service does not answer: ' + error.message;
    byId('trouble').hidden = false;
  }
  setTimeout(refresh, document.hidden ? 5000 : 1000);
}

byId('advance').addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const body = JSON.stringify({ advance_seconds: Number(byId('seconds').value) });
  byId('clock').textContent = (await ask('/_local/clock', { method: 'POST', body })).now;
});
byId('reset').addEventListener('click', async () => {
  if (confirm('Remove every record, event and message?')) await ask('/_local/reset', { method: 'POST' });
});
refresh();
`;

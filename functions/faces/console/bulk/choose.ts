import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Act, Below, Send, Sent } from '../page/declare.ts';
import { call } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import type { List } from '../view/parts.ts';
import { type Check, type Line, MOST_LINES } from './lines.ts';

/** The prefix of the fields of check boxes: a form names each field once. */
export const PICK = 'pick:';

interface Hit {
  id: string;
  kind: string;
  name: string | null;
}

/** The records that a form names, or the reason why it cannot be used. */
export type Chosen = { lines: Line[] } | { problem: string };

const isAddress = (text: string): boolean => text.includes('@');

/** The ids of a form by check boxes, with their names, and the words that were pasted. */
function readForm(form: Sent): { picked: Line[]; pasted: string[] } {
  const picked = Object.entries(form)
    .filter(([name]) => name.startsWith(PICK))
    .map(([name, value]) => ({ id: name.slice(PICK.length), label: value.slice(0, 200) }));
  const pasted = (form.pasted ?? '').split(/[\s,;]+/u).filter((each) => each !== '');
  return { picked, pasted: [...new Set(pasted)] };
}

/** The text that names the same records again, for a form that is shown once more. */
export function writeChoice(form: Sent): string {
  const { picked, pasted } = readForm(form);
  return [...picked.map(({ id }) => id), ...pasted].join('\n');
}

/** Finds the records of a form: those of check boxes, pasted ids, and pasted addresses by one search. */
export async function chooseLines(act: Act, form: Sent, visit: Visit, send: Send): Promise<Chosen> {
  const { picked, pasted } = readForm(form);
  const kind = act.bulk?.expand?.record ?? act.bulk?.record ?? '';
  if (picked.length + pasted.length === 0) return { problem: 'Choose at least one record, or paste ids or addresses.' };
  if (picked.length + pasted.length > MOST_LINES) return { problem: `Choose at most ${MOST_LINES} records at once.` };
  const isId = (text: string): boolean => new RegExp(`^${kind}_[0-9A-Z]{26}$`).test(text);
  const strange = [...picked.map(({ id }) => id), ...pasted.filter((each) => !isAddress(each))].filter(
    (each) => !isId(each),
  );
  if (strange.length > 0) {
    return {
      problem: `“${(strange[0] ?? '').slice(0, 100)}” is neither an email address nor an id of this list, such as ${kind}_01JX…`,
    };
  }
  const addresses = pasted.filter(isAddress);
  const found = addresses.length === 0 ? [] : await findByAddress(addresses, act, visit, send);
  if ('problem' in found) return found;
  const named = [...picked, ...pasted.filter(isId).map((id) => ({ id, label: '' })), ...found];
  const lines = [...new Map(named.map((line) => [line.id === '' ? line.label : line.id, line])).values()];
  const expanded = await expandLines(act, lines, visit, send);
  if ('problem' in expanded) return expanded;
  if (expanded.length === 0) return { problem: 'These records have nothing that this act could change.' };
  return expanded.length > MOST_LINES
    ? { problem: `These are ${expanded.length} records, and the limit is ${MOST_LINES}. Choose fewer.` }
    : { lines: expanded };
}

/** Milliseconds after which the search for records stops: a function runs for 29 seconds at most. */
const SEARCH_MS = 12_000;
const SLOW = 'The API took too long to find the records. Nothing was changed; choose fewer.';
const NONE: Check = { state: 'rejected', text: 'No record has this address.' };

/** The records below those of some lines, by one call for each line; the label of each record begins with that of its line. */
async function listBelow(
  lines: Line[],
  below: Below,
  visit: Visit,
  send: Send,
): Promise<Line[][] | { problem: string }> {
  const startedAt = performance.now();
  const made: Line[][] = [];
  for (let from = 0; from < lines.length; from += 10) {
    if (performance.now() - startedAt > SEARCH_MS) return { problem: SLOW };
    const found = await awaitAll(lines.slice(from, from + 10).map(async ({ id }) => send(below.call(id, visit), {})));
    for (const [at, sent] of found.entries()) {
      const { label = '', id = '' } = lines[from + at] ?? {};
      if ('problem' in sent) return { problem: `${label || id}: ${sent.text}` };
      made.push(
        below
          .list(sent.body)
          .map((each) => ({ id: each.id, label: [label || id, each.label].filter(Boolean).join(': ') })),
      );
    }
  }
  return made;
}

/** Finds records by addresses. An address without one is a line that is not possible. */
async function findByAddress(
  addresses: string[],
  { bulk }: Act,
  visit: Visit,
  send: Send,
): Promise<Line[] | { problem: string }> {
  const { ofAddress, record = '', expand } = bulk ?? {};
  const named = addresses.map((address): Line => ({ id: address, label: address }));
  const holders =
    ofAddress?.by === 'address'
      ? named
      : await searchByAddress(named, ofAddress ? 'user' : (expand?.record ?? record), send);
  if ('problem' in holders) return holders;
  const known = holders.filter(({ id }) => id !== '');
  const below = ofAddress === undefined ? known.map((line) => [line]) : await listBelow(known, ofAddress, visit, send);
  if ('problem' in below) return below;
  const empty = known.filter((_, at) => below[at]?.length === 0).map(({ label }) => label);
  const unknown = holders.filter(({ id }) => id === '').map(({ label }) => label);
  return [...below.flat(), ...[...empty, ...unknown].map((label): Line => ({ id: '', label, check: NONE }))];
}

/** Finds the records that have addresses, by one call. @returns lines without an id for addresses that none has */
async function searchByAddress(named: Line[], kind: string, send: Send): Promise<Line[] | { problem: string }> {
  // A search for a single address also finds what only mentions it.
  const sent = await send(call('search.query', {}, { q: named.map(({ label }) => label).join(' ') }), {});
  if ('problem' in sent) return { problem: sent.text };
  const hits = (sent.body as List<Hit>).data.filter(({ id }) => id.startsWith(`${kind}_`));
  return named.map(({ label }) => ({
    label,
    id: hits.find(({ name }) => name?.toLowerCase() === label.toLowerCase())?.id ?? '',
  }));
}

/** Replaces each record by those below it that the act changes, such as the sessions of a user. */
async function expandLines(
  { bulk }: Act,
  lines: Line[],
  visit: Visit,
  send: Send,
): Promise<Line[] | { problem: string }> {
  if (bulk?.expand === undefined) return lines;
  const below = await listBelow(
    lines.filter(({ id }) => id !== ''),
    bulk.expand,
    visit,
    send,
  );
  return 'problem' in below ? below : [...below.flat(), ...lines.filter(({ id }) => id === '')];
}

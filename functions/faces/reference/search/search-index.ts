import type { JsonSchema } from '../document/format.ts';
import {
  type Described,
  listOperations,
  type Navigation,
  readNavigation,
  resourceAddress,
} from '../navigation/navigation.ts';
import { listParameters, listShapes } from '../page/bodies.ts';
import { type ErrorCode, listErrorCodes, listErrors } from '../page/errors.ts';
import { listEventTypes } from '../page/events.ts';
import { GUIDES } from '../guides/list.ts';
import type { Content } from '../page/pages.ts';
import { findBodySchema, findJsonSuccess, type Follow, follower, type Member } from '../page/schema.ts';
import type { SearchEntry, SearchIndex } from './rank.ts';
import { COMMON, PHRASES, SYNONYMS } from './synonyms.ts';

const known = new WeakMap<Content, SearchIndex>();

/** The index of operations, fields, error codes, events and guides, which is made once. */
export function searchIndex(content: Content): SearchIndex {
  const found = known.get(content) ?? makeIndex(content);
  known.set(content, found);
  return found;
}

function makeIndex(content: Content): SearchIndex {
  const { document } = content;
  const navigation = readNavigation(document);
  const follow = follower(document.components);
  const codes = listErrorCodes(document);
  const operations = listOperations(document).map((described) => ({
    described,
    fields: listFields(described, follow),
  }));
  return {
    entries: [
      ...guideEntries(content),
      ...resourceEntries(navigation),
      ...operations.map(({ described, fields }) => ({
        ...operationEntry(described, fields, navigation),
        e: errorWords(described, follow, codes),
      })),
      ...errorEntries(content),
      ...eventEntries(content),
      ...fieldEntries(operations, navigation),
    ],
    synonyms: SYNONYMS,
    phrases: PHRASES,
    common: COMMON,
  };
}

/** The guides about the whole API, which come before those of areas. */
const WHOLE: ReadonlySet<string> = new Set(GUIDES.map(({ name }) => name));

const words = (text: string, most = 600): string => text.toLowerCase().replaceAll('`', '').slice(0, most);

/** Guides of modules without operations, which explain the background of others: they seldom have what a reader looks for. */
const BACKGROUND: ReadonlySet<string> = new Set(['authorization-server', 'console', 'known-devices']);

/** The different words of a text of any length. */
const distinctWords = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*[\p{L}\p{N}_]/gu))].join(' ');

/** An entry for each guide, which has its introduction and its use, and one for each further section. */
function guideEntries({ guides }: Content): SearchEntry[] {
  return [...guides.values()].flatMap(({ name, title, sections: [start, ...parts] }) => {
    const use = parts.filter((part) => part.title === 'Use');
    const begin = [start, ...use].map((part) => `${part?.text ?? ''} ${part?.code ?? ''}`).join(' ');
    const address = `/docs/guides/${name}`;
    const isWhole = WHOLE.has(name);
    return [
      {
        t: title,
        k: 'guide',
        u: address,
        d: (start?.text || use[0]?.text || '').trim().slice(0, 110),
        w: distinctWords(begin),
        p: isWhole ? 16 : BACKGROUND.has(name) ? -15 : 5,
      },
      ...parts
        .filter((part) => part.title !== 'Use')
        .map((part) => ({
          t: `${title}: ${part.title}`,
          k: 'guide',
          u: `${address}#${part.anchor}`,
          d: part.text.trim().slice(0, 110),
          w: distinctWords(`${part.text} ${part.code}`),
          ...(isWhole && { p: 6 }),
        })),
    ];
  });
}

const resourceEntries = ({ sections }: Navigation): SearchEntry[] =>
  sections.flatMap(({ title, resources }) =>
    resources.map((resource) => ({
      t: resource.title,
      k: 'resource',
      u: resourceAddress(resource),
      d: title,
      w: words(`${title} ${resource.operations.map(({ operation }) => String(operation.summary)).join(' ')}`, 300),
    })),
  );

const readDescription = ({ description }: JsonSchema): string => (typeof description === 'string' ? description : '');

/** Reports whether only browsers open a path, so that a developer hardly looks for its operation. */
const isForBrowsers = (path: string): boolean => /^\/(hosted|portal\/\{|console|device)/.test(path);

/** The values of a type that has a few: `"client_credentials"` of a grant. */
const readConstants = (text: string): string[] => [...text.matchAll(/"(\w{4,})"/g)].map(([, value = '']) => value);

function operationEntry(described: Described, fields: readonly Member[], { addresses }: Navigation): SearchEntry {
  const { id, method, path, operation } = described;
  const constants = fields.flatMap(({ type }) =>
    type.flatMap((word) => ('text' in word ? readConstants(word.text) : [])),
  );
  const names = [...new Set([...constants, ...fields.map((field) => field.path)])].join(' ');
  return {
    t: String(operation.summary),
    k: 'operation',
    u: addresses.get(id) ?? '/docs',
    d: `${method} ${path}`,
    w: words(`${id} ${method} ${path} ${readDescription(operation).slice(0, 300)} ${names}`, 900),
    ...(isForBrowsers(path) && { p: -25 }),
  };
}

/** An error that more operations have says nothing about one of them. */
const MOST_OPERATIONS = 12;

/** The words of the errors by which an operation differs from most others: of their codes and messages. */
function errorWords({ operation }: Described, follow: Follow, codes: ReadonlyMap<string, ErrorCode>): string {
  const own = listErrors(operation, follow).filter(({ code, status, message }) => {
    const meaning = codes.get(code)?.messages.find((each) => each.status === status && each.message === message);
    return (meaning?.operations.length ?? 0) <= MOST_OPERATIONS;
  });
  return distinctWords(
    own.map(({ status, code, message }) => `${status} ${code.replaceAll('_', ' ')} ${message}`).join(' '),
  );
}

/** The titles of the operations that respond with an error. */
const listTitles = (messages: ErrorCode['messages']): string[] => [
  ...new Set(messages.flatMap(({ operations }) => operations.map(({ operation }) => String(operation.summary)))),
];

/** The operations that respond with an error, in a few words: “Create a user, and 2 more”. */
function describeUsers(messages: ErrorCode['messages']): string {
  const [first = '', ...others] = listTitles(messages);
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}

function errorEntries({ document }: Content): SearchEntry[] {
  return [...listErrorCodes(document).values()].map(({ code, statuses, messages }) => ({
    t: code,
    k: 'error',
    u: `/docs/errors/${code}`,
    d: `${statuses.join(', ')} of: ${describeUsers(messages)}. ${messages[0]?.message.slice(0, 110) ?? ''}`,
    w: words(
      `error code ${statuses.join(' ')} ${code.replaceAll('_', ' ')} ${messages.map((each) => each.message).join(' ')}`,
      300,
    ),
    ...(messages.length <= MOST_OPERATIONS && { e: (listTitles(messages)[0] ?? '').toLowerCase() }),
  }));
}

const eventEntries = ({ document }: Content): SearchEntry[] =>
  [...listEventTypes(document).keys()].map((name) => ({
    t: name,
    k: 'event',
    u: `/docs/event-types/${name}`,
    d: 'Event with its payload',
    w: words(`event webhook ${name.replaceAll(/[._]/g, ' ')}`),
  }));

function listFields({ operation }: Described, follow: Follow): Member[] {
  const body = findBodySchema(operation);
  const shapes = body === undefined ? [] : listShapes('', body, follow).flatMap(({ fields }) => fields);
  return [...listParameters(operation, follow), ...shapes, ...responseFields(operation, follow)];
}

function responseFields(operation: JsonSchema, follow: Follow): Member[] {
  const success = findJsonSuccess(operation, follow);
  return success === undefined ? [] : listShapes('', success.schema, follow).flatMap(({ fields }) => fields);
}

/** One entry for each name of a field, at the first operation that has it. */
function fieldEntries(
  operations: readonly { described: Described; fields: readonly Member[] }[],
  { addresses }: Navigation,
): SearchEntry[] {
  const byName = new Map<string, { field: Member; users: Described[] }>();
  for (const { described, fields } of operations) {
    for (const field of fields) {
      const name = field.path
        .replace(/ \(\w+\)$/, '')
        .replace(/^.*\./, '')
        .replace(/\[\]$/, '');
      const found = byName.get(name) ?? { field, users: [] };
      if (found.users.at(-1) !== described) found.users.push(described);
      byName.set(name, found);
    }
  }
  return [...byName].map(([name, { field, users }]) => ({
    t: name,
    k: 'field',
    u: addresses.get(users[0]?.id ?? '') ?? '/docs',
    d: `Field of ${String(users[0]?.operation.summary).toLowerCase()}${users.length > 1 ? ` and ${users.length - 1} more` : ''}`,
    w: words(`field ${field.description ?? ''}`, 150),
  }));
}

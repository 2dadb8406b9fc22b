import { renderAddress } from '../../../functions/kernel/http/curl.ts';
import type { OperationExample } from '../../../functions/faces/reference/examples/recorded.ts';
import type { Described } from '../../contract/described.ts';
import { findParams, findTarget, listBodyMembers, readBody } from '../../contract/described.ts';
import type { Api } from '../../contract/samples/sample.ts';
import type { CallResponse } from '../../kernel/http/calls.ts';
import { OWN, type Parts } from './own-examples.ts';

/** A call of an operation whose records exist. */
export interface Prepared extends Parts {
  described: Described;
}

/** Pages for browsers and documents are no examples of the API. */
const isOfApi = ({ operation: { path } }: Described): boolean =>
  !/^\/(hosted|docs|portal\/\{|_local|openapi|llms|console)/.test(path);

/**
 * Creates the records of an operation's example; undefined for one whose sample needs a person or another service.
 * @param key the API key that the example sends in its body
 */
export async function prepare(described: Described, api: Api, key: string): Promise<Prepared | undefined> {
  if (!isOfApi(described)) return undefined;
  try {
    const make = OWN[described.operation.id];
    if (make !== undefined) return { described, params: {}, query: {}, body: undefined, ...(await make(api, key)) };
    const isList = described.parameters.length === 0 && described.operation.method === 'GET';
    const named = isList ? await findParams(described, api) : undefined;
    const params = described.parameters.length === 0 ? {} : await findParams(described, api);
    if (params === undefined) return undefined;
    const own = await readUpdate(described, api, params);
    // The examples of schemas are made for tests, so a name says nothing.
    const body = own?.name === 'example' ? { ...own, name: 'Acme' } : own;
    const required = Object.fromEntries(new URLSearchParams(findTarget(described, params).split('?')[1] ?? ''));
    const query = { ...required, ...named };
    return { described, params, query, body };
  } catch {
    return undefined;
  }
}

/**
 * The body of a call. A test needs no member in an update; an example of one changes a name, or sends what the GET of its path returned, because an
 * empty body changes nothing, and as a replacement of settings restores all defaults.
 */
async function readUpdate(
  described: Described,
  api: Api,
  params: Readonly<Record<string, string>>,
): Promise<Record<string, unknown> | undefined> {
  const body = await readBody(described, api);
  const isUpdate = ['PUT', 'PATCH'].includes(described.operation.method);
  if (!isUpdate || body === undefined || Object.keys(body).length > 0) return body;
  const members = listBodyMembers(described);
  if (members.includes('name')) return { name: 'New name' };
  const { status, json } = await api.send('GET', findTarget(described, params));
  if (status !== 200) return body;
  return Object.fromEntries(Object.entries(json as object).filter(([name]) => members.includes(name)));
}

/** The path of a prepared call, with its query. */
export const makeTarget = ({ described, params, query }: Prepared): string =>
  renderAddress({ path: findTarget(described, params).split('?', 1)[0] ?? '', query });

const BASE_TIME = Date.parse('2026-01-15T12:00:00.000Z');
const MINUTE_MS = 60_000;
const MOST_ITEMS = 2;
const MOST_CHARACTERS = 240;
const MOST_IDS = 999;
const NAMES = ['ada', 'grace', 'alan', 'edsger'];

/** Replaces what differs between two recordings, and what could be a secret, by fixed values: ids, times, tokens. */
export class Normalizer {
  readonly #ids = new Map<string, string>();
  readonly #persons = new Set<string>();
  readonly #now = Date.now();

  text(value: string): string {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return this.#time(Date.parse(value));
    if (/^[A-Za-z0-9+/=]{40,}$/.test(value)) return `${value.slice(0, 12)}…`;
    if (value.startsWith('-----BEGIN ')) return `${value.split('\n', 1)[0]}\n…`;
    const fixed = this.#withIds(value)
      .replace(/\b\d{6}\b/g, '042917')
      .replace(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://auth.example.com')
      .replace(/[0-9a-f-]{36}(?=@example\.com)/g, (person) => this.#name(person))
      .replace(/\b(whsec_|sk_[a-z]+_)[^\s"]+/g, '$1…')
      .replace(/[A-Za-z0-9_+=-]{32,}/g, (token) => this.#cut(token));
    return fixed.length > MOST_CHARACTERS ? `${fixed.slice(0, MOST_CHARACTERS)}…` : fixed;
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((own) => this.value(own));
    if (typeof value !== 'object' || value === null) return value;
    const fixed = Object.fromEntries(
      Object.entries(value).map(([name, own]) => [this.#withIds(name), this.value(own)]),
    );
    // The records of a list that are left out here are not on a further page either.
    const { data } = value as { data?: unknown };
    const isCut = fixed.object === 'list' && Array.isArray(data) && data.length > MOST_ITEMS;
    return isCut && 'list_metadata' in fixed ? { ...fixed, list_metadata: { before: null, after: null } } : fixed;
  }

  #withIds(text: string): string {
    return (
      text
        .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b|(?<=_)[0-9A-HJKMNP-TV-Z]{26}(?![0-9A-Za-z])/g, (id) => this.#id(id))
        .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => this.#uuid(id))
        // The service makes the slug of an organization's role from its name and random characters.
        .replace(/\b(org-editor-)[0-9a-z]{6}\b/g, (_, start: string) => `${start}7a4c2e`)
    );
  }

  /** The first name in the email address of a person, a different one for each. */
  #name(person: string): string {
    const known = [...this.#persons.add(person)].indexOf(person);
    return NAMES[known] ?? `person${known + 1}`;
  }

  #time(time: number): string {
    return new Date(BASE_TIME + Math.round((time - this.#now) / MINUTE_MS) * MINUTE_MS).toISOString();
  }

  /** Seconds since the epoch, of tokens and hashes, are times too. */
  #number(value: number): number {
    return Math.abs(value * 1_000 - this.#now) < 400 * 86_400_000
      ? Date.parse(this.#time(value * 1_000)) / 1_000
      : value;
  }

  /** An id that no record has, the same for the same id. */
  #id(id: string): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    // Lists show the newest record first, whose id is the largest.
    const made = `01KF0${String(MOST_IDS - this.#ids.size).padStart(21, '0')}`;
    this.#ids.set(id, made);
    return made;
  }

  #uuid(id: string): string {
    return `01980000-0000-7000-8000-${this.#id(id).slice(-12)}`;
  }

  /** A token or another long text by its first characters; an address or an id stays. */
  #cut(token: string): string {
    if (token.startsWith('01980000-')) return token;
    if (/01KF0\d{21}/.test(token)) return token.replace(/(01KF0\d{21})[A-Za-z0-9_+=-]{12,}/g, '$1…');
    return `${token.slice(0, 12)}…`;
  }
}

/** The example of a call, with fixed values. */
export function makeExample(prepared: Prepared, { status, json }: CallResponse): OperationExample {
  const fixed = new Normalizer();
  const { params, query, body } = prepared;
  const strings = (own: Record<string, string>) =>
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fixed.text(value)]));
  return {
    ...(Object.keys(params).length > 0 && { params: strings(params) }),
    ...(Object.keys(query).length > 0 && { query: strings(query) }),
    ...(body !== undefined && { body: fixed.value(body) }),
    status,
    ...(json !== undefined && { response: fixed.value(json) }),
  };
}

/** The names and types of a value's members, by which two recordings are compared. */
export function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [describeShape(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, own]): [string, unknown] => [
    name.replace(/01KF0\d{21}/, 'id'),
    describeShape(own),
  ]);
  return Object.fromEntries(members);
}

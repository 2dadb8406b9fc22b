import * as z from 'zod';

import type { Operation } from '../../functions/kernel/operation.ts';
import type { CallResponse } from '../kernel/http/calls.ts';

/** Texts that may be a secret, or contain one: PEM has lines of 64 characters, a link has its token in the query. */
const TOKEN = /[A-Za-z0-9_~+/-]{20,}={0,2}/g;

/** An id of a record, which is not a secret. */
const ID = /^[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Minimum number of different characters of a secret; the values of tests with long texts have fewer. */
const DIFFERENT = 8;

/** Minimum length of a secret. Codes of six digits are shorter; the tests of their areas look for them. */
const SHORTEST = 20;

/** Maximum depth of members with secrets; the bodies of some tests are deeper than a stack. */
const MAX_DEPTH = 20;

/** The parts of a text that are long and random enough to be a secret, also as a part of a path. */
const tokensIn = (text: string): string[] =>
  [...text.matchAll(TOKEN)]
    .flatMap(([token]) => [token, ...token.split('/')])
    .filter((token) => token.length >= SHORTEST && !ID.test(token) && new Set(token).size >= DIFFERENT);

/** The names of the members with secrets (`format: password`) in a schema. */
function secretNames(schema: z.ZodType | null | undefined): string[] {
  if (schema === undefined || schema === null) return [];
  const text = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  return [...text.matchAll(/"(\w+)":\{(?:[^{}]|\{[^{}]*\})*?"format":"password"/g)].map(([, name = '']) => name);
}

const cached = new Map<string, ReadonlySet<string>>();

/** The names of the members with secrets in the requests and responses of an operation. */
function findNames({ id, body, responses }: Operation): ReadonlySet<string> {
  const known = cached.get(id);
  if (known !== undefined) return known;
  const names = new Set([body, ...Object.values(responses)].flatMap(secretNames));
  cached.set(id, names);
  return names;
}

/** Reports whether the requests or responses of an operation have members with secrets. */
export const hasSecrets = (operation: Operation): boolean => findNames(operation).size > 0;

/** Collects the secrets that requests and responses carry, and finds them in other texts. */
export class SecretWatch {
  /** The ids of operations in whose requests or responses a secret was seen. */
  readonly operations = new Set<string>();
  /** The operation by which each secret was seen last, by the secret. */
  readonly seen = new Map<string, string>();

  /** Collects the secrets of a call. @param readSent returns the request's body; bodies of operations without secrets are not parsed */
  observe(operation: Operation, readSent: () => unknown, { json, status }: CallResponse): void {
    const names = findNames(operation);
    if (names.size === 0) return;
    this.#collect(operation.id, names, readSent());
    if (status < 400) this.#collect(operation.id, names, json);
  }

  /** The secrets in a text, each with the operation by which it was seen. */
  find(text: string): string[] {
    return tokensIn(text).flatMap((token) => {
      const operation = this.seen.get(token);
      return operation === undefined ? [] : [`a secret of ${operation}`];
    });
  }

  #collect(id: string, names: ReadonlySet<string>, value: unknown, isSecret = false, depth = 0): void {
    for (const token of typeof value === 'string' && isSecret ? tokensIn(value) : []) {
      this.seen.set(token, id);
      this.operations.add(id);
    }
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    for (const [name, member] of Object.entries(value)) {
      this.#collect(id, names, member, names.has(name) || (isSecret && Array.isArray(value)), depth + 1);
    }
  }
}

/** Operations whose calls carry a secret of each kind: tokens, keys of others, client secrets, links. */
export const CARRYING = [
  'agent_blueprints.mint_token',
  'agent_identity.create',
  'client_secrets.create',
  'connections.create',
  'directory_tokens.create',
  'invitations.list',
  'oauth2.token',
  'organization_api_keys.create',
  'password_reset.create',
  'portal.generate_link',
  'users.create_account_link',
  'vault.data_keys.create',
  'webhook_endpoints.create',
];

import type { AuthMethod } from '../../../../kernel/events/catalogue/sessions.ts';

/**
 * By whose word something was proved: the environment's own methods, which only the person can use (password, mailed code, passkey,
 * social account), an organization (its connection, directory, portal link, IT contact or invitation), or an operator who acts as the
 * person.
 */
export type Word = 'environment' | `organization:${string}` | `operator:${string}`;

/**
 * The method of a proof: a method of sign-in, a second factor after one, a credential of an administrator (`aws`: rights in AWS), or the
 * registration of an agent that no person has claimed.
 */
export type ProofMethod =
  | AuthMethod
  | 'factor'
  | 'api_key'
  | 'aws'
  | 'console_link'
  | 'directory'
  | 'portal'
  | 'registration'
  | 'it_contact';

/** One proof of a person's identity, or of the right to act. */
export interface Proof {
  readonly method: ProofMethod;
  readonly word: Word;
  /** The time of the proof, in milliseconds since the epoch. */
  readonly at: number;
}

/** The proofs of a session, code, token, link or grant. A token that is derived from it has the same list, never a longer one. */
export type Authority = readonly Proof[];

export const organizationWord = (organizationId: string): Word => `organization:${organizationId}`;
export const operatorWord = (operatorId: string): Word => `operator:${operatorId}`;

/** A second factor proves nothing by itself, and an unknown method proves nothing at all. */
const isFirst = ({ method }: Proof): boolean => method !== 'factor' && method !== 'unknown';

/** Reports whether a first proof (no second factor) was given by a word. */
export const speaks = (authority: Authority, word: Word): boolean =>
  authority.some((proof) => isFirst(proof) && proof.word === word);

/** The operator who acts as the person; undefined for a person's own sign-in. */
export const findOperator = (authority: Authority): string | undefined =>
  authority
    .map(({ word }) => word)
    .find((word) => word.startsWith('operator:'))
    ?.slice('operator:'.length);

/** The organizations by whose word something was proved. */
export const listOrganizations = (authority: Authority): string[] => [
  ...new Set(
    authority
      .filter(isFirst)
      .flatMap(({ word }) => (word.startsWith('organization:') ? [word.slice('organization:'.length)] : [])),
  ),
];

/** Reports whether a factor of the person's own was proved, or a passkey, which is one by itself. */
export const showsOwnFactor = (authority: Authority): boolean =>
  authority.some(({ method, word }) => word === 'environment' && (method === 'factor' || method === 'passkey'));

/** The time of the first proof, which is the time of the authentication (OpenID Connect Core 1.0 section 2, `auth_time`). */
export const findProofTime = (authority: Authority): number | undefined =>
  authority.find((proof) => isFirst(proof))?.at;

/** The members of a row that have its proofs or, in rows from before this list, its method only. */
export interface RecordedSignIn {
  proofs?: unknown;
  method: string;
  /** The organization of the connection, for the method `sso`. */
  ssoOrganizationId?: string | undefined;
  operatorId?: string | undefined;
  /** The time of the authentication, in milliseconds since the epoch. */
  at: number;
  /** True if a second factor was used. */
  mfa?: boolean | undefined;
}

/**
 * The proofs of a row. A row from before this list counts as the word of its organization's connection, otherwise as the
 * environment's for the methods that are the environment's own; an unknown method proves nothing.
 */
export function readProofs({ proofs, method, ssoOrganizationId, operatorId, at, mfa }: RecordedSignIn): Authority {
  if (proofs !== undefined) return proofs as Authority;
  const known = method as AuthMethod;
  if (known === 'unknown') return [];
  if (known === 'impersonation') return [{ method: known, word: operatorWord(operatorId ?? ''), at }];
  if (known === 'sso') {
    return ssoOrganizationId === undefined ? [] : [{ method: known, word: organizationWord(ssoOrganizationId), at }];
  }
  const factor: Authority = mfa === true ? [{ method: 'factor', word: 'environment', at }] : [];
  return [{ method: known, word: 'environment', at }, ...factor];
}

import { isId } from '../id-format.ts';
import type { KeySet } from './key-set.ts';

/** Maximum lifetime in seconds of a token of any kind: former signing keys stay published this long. */
export const LONGEST_TOKEN_SECONDS = 3_600;

/** A kind of JWT that the service signs. */
interface TokenKind {
  keySet: KeySet;
  /** The `typ` of the header (RFC 8725 section 3.11): a verifier of one kind accepts no other kind. */
  typ: string;
  /** The prefixes of ids that `sub` may have. */
  subjects: readonly string[];
}

/**
 * The kinds of tokens. Two kinds differ in `typ` or in the prefix of `sub`, and only those that official clients look
 * for under `/sso/jwks/{clientId}` are signed by the key set `sessions`.
 */
export const tokenKinds = {
  /** The access token of a user's session. */
  session: { keySet: 'sessions', typ: 'JWT', subjects: ['user'] },
  /** The access token of an instance of an agent blueprint (RFC 9068). */
  agent: { keySet: 'sessions', typ: 'at+jwt', subjects: ['agent'] },
  /** The access token of a registration of an agent that another party runs. Official clients look for its key there too. */
  registration: { keySet: 'sessions', typ: 'at+jwt', subjects: ['agent_reg'] },
  /** The proof of such a registration (a JWT), which only the token endpoint accepts. */
  agent_assertion: { keySet: 'connect', typ: 'agent-assertion+jwt', subjects: ['agent_reg'] },
  /** The access token of an application that acts for its organization (RFC 9068). */
  machine: { keySet: 'connect', typ: 'at+jwt', subjects: ['client'] },
  /** The access token of an application that acts for a user (RFC 9068). */
  access: { keySet: 'connect', typ: 'at+jwt', subjects: ['user'] },
  /**
   * The ID token of an application (OpenID Connect Core section 2). Libraries expect this `typ`, which other kinds have too,
   * so only its key set distinguishes it.
   */
  identity: { keySet: 'connect', typ: 'JWT', subjects: ['user'] },
  /** The token with which the widgets of a page call the service, for a user or for an organization without a user. */
  widget: { keySet: 'connect', typ: 'widget+jwt', subjects: ['user', 'org'] },
  /** The token with which a browser calls the service for a user. */
  client: { keySet: 'connect', typ: 'client+jwt', subjects: ['user'] },
} as const satisfies Readonly<Record<string, TokenKind>>;

export type TokenKindName = keyof typeof tokenKinds;

/** Reports whether `sub` is an id of the kind's subjects. */
export const isSubjectOf = (kind: TokenKindName, subject: unknown): boolean =>
  typeof subject === 'string' && tokenKinds[kind].subjects.some((prefix) => isId(prefix, subject));

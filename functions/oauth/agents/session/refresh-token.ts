import { isId, readUlid } from '../../../kernel/id-format.ts';
import type { TokenSecrets } from '../../../kernel/tokens/rotation.ts';
import { MAX_CHAIN_DEPTH } from '../../../sign-in/modules/authorization-server/public.ts';
import type { SessionLink, SessionRecord } from './entity.ts';

const ULID_LENGTH = 26;
const FAMILY_LENGTH = 22;
const SECRETS_LENGTH = FAMILY_LENGTH + 43;
/** Number of ids of a session without ancestors: session, instance, blueprint, organization, user. */
const OWN_IDS = 5;
const FORM = /^(?:[0-7][0-9A-HJKMNP-TV-Z]{25})+[\w-]{65}$/;
/** A value in place of an id that a session does not have or that has another form (an imported one). */
const NONE = '0'.repeat(ULID_LENGTH);

/** The ids of the rows that decide whether a session is valid. */
export interface SessionPlace {
  /** The agents' sessions from the first delegating one to the session itself. */
  chain: SessionLink[];
  organizationId: string;
  userId: string | undefined;
}

/**
 * The parts of a refresh token. Its ids are hints, with which all rows are read in parallel; the ids in the session's row
 * have priority.
 */
export interface RefreshToken extends TokenSecrets {
  place: SessionPlace;
}

/** The ids of the rows that decide whether a stored session is valid. */
export const findPlaceOfSession = (session: SessionRecord): SessionPlace => ({
  chain: [...(session.ancestors ?? []), linkOf(session)],
  organizationId: session.organizationId,
  userId: session.userId,
});

/** A session in the form of the last link of its chain of delegations. */
export const linkOf = ({ id, instanceId, blueprintId }: SessionRecord): SessionLink => ({
  sessionId: id,
  instanceId,
  blueprintId,
});

const readOptionalUlid = (prefix: string, id: string | undefined): string =>
  id !== undefined && isId(prefix, id) ? readUlid(id) : NONE;

/** Formats a refresh token: 195 characters, and 78 more for each ancestor; opaque to clients. */
export function writeRefreshToken(session: SessionRecord, { family, generation }: TokenSecrets): string {
  const { chain, organizationId, userId } = findPlaceOfSession(session);
  const links = chain
    .toReversed()
    .map((link) => readUlid(link.sessionId) + readUlid(link.instanceId) + readUlid(link.blueprintId));
  const [own = '', ...ancestors] = links;
  const ids = [own, readOptionalUlid('org', organizationId), readOptionalUlid('user', userId), ...ancestors];
  return `${ids.join('')}${family}${generation}`;
}

/** Parses a well-formed refresh token; undefined for anything else. It does not verify the token. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const ids = token.slice(0, -SECRETS_LENGTH);
  const count = ids.length / ULID_LENGTH;
  const ancestors = (count - OWN_IDS) / 3;
  if (!FORM.test(token) || !Number.isInteger(ancestors) || ancestors < 0 || ancestors >= MAX_CHAIN_DEPTH)
    return undefined;
  const ulids = Array.from({ length: count }, (_, at) => ids.slice(at * ULID_LENGTH, (at + 1) * ULID_LENGTH));
  const link = (at: number): SessionLink => ({
    sessionId: `agent_session_${ulids[at]}`,
    instanceId: `agent_${ulids[at + 1]}`,
    blueprintId: `agent_blueprint_${ulids[at + 2]}`,
  });
  const above = Array.from({ length: ancestors }, (_, at) => link(OWN_IDS + at * 3));
  const secrets = token.slice(-SECRETS_LENGTH);
  return {
    place: {
      chain: [...above.toReversed(), link(0)],
      organizationId: `org_${ulids[3]}`,
      userId: ulids[4] === NONE ? undefined : `user_${ulids[4]}`,
    },
    family: secrets.slice(0, FAMILY_LENGTH),
    generation: secrets.slice(FAMILY_LENGTH),
  };
}

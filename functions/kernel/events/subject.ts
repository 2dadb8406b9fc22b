import { isId } from '../id-format.ts';
import { normalizeEmail } from '../address.ts';
import { recipientHash } from '../messages/entity.ts';

/** The person or organization whose list contains an event. */
export interface Subject {
  kind: 'user' | 'organization' | 'address';
  /** The id, or `address#` and the digest of the environment and the address. */
  key: string;
}

/** The parts of an event that decide about its subject. */
interface Concerning {
  environmentId: string;
  name: string;
  data: unknown;
  organizationId?: string | undefined;
}

/** The members of an event's data that name a user, in their order. */
const USER_MEMBERS = ['user_id', 'accepted_user_id', 'id'] as const;

/**
 * The subject of an event: the user that its data name, otherwise the organization, otherwise the address, as in a failed
 * sign-in without an account. Events of the vault have none: reads of secrets are many, and concern no person.
 */
export function findSubject({ environmentId, name, data, organizationId }: Concerning): Subject | undefined {
  if (name.startsWith('vault.')) return undefined;
  const members = (data ?? {}) as Record<string, unknown>;
  const owner = members.owner as { type?: unknown; id?: unknown } | undefined;
  const ids = [...USER_MEMBERS.map((member) => members[member]), owner?.type === 'user' ? owner.id : undefined];
  const user = ids.find((id) => typeof id === 'string' && isId('user', id)) as string | undefined;
  if (user !== undefined) return { kind: 'user', key: user };
  const organization = organizationId ?? members.organization_id;
  if (typeof organization === 'string' && isId('org', organization)) return { kind: 'organization', key: organization };
  return typeof members.email === 'string' ? addressSubject(environmentId, members.email) : undefined;
}

/** The subject of an address, in any spelling; undefined for a text that is not an address. */
export const addressSubject = (environmentId: string, email: string): Subject | undefined =>
  normalizeEmail(email) === undefined
    ? undefined
    : { kind: 'address', key: `address#${recipientHash(environmentId, email)}` };

/** Reads a subject as a client names it: the id of a user or an organization, or an address. */
export function readSubject(environmentId: string, text: string): Subject | undefined {
  if (isId('user', text)) return { kind: 'user', key: text };
  return isId('org', text) ? { kind: 'organization', key: text } : addressSubject(environmentId, text);
}

import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { readKey } from '../../../kernel/authentication/secret-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findInvitationByToken } from '../../modules/portal-access/public.ts';
import { organizations } from '../organization/entity.ts';
import { itContacts } from './entity.ts';

/** Prefix of the token in a setup link. */
export const SETUP_TOKEN_PREFIX = 'setup_';

/** An active invitation of an IT contact. */
export interface SetupInvitation {
  environmentId: string;
  organizationId: string;
  contactId: string;
  email: string;
  intents: readonly string[];
}

/** Finds the active invitation of a setup link: a Query, then three GetItems. */
export async function findSetupInvitation(token: string): Promise<SetupInvitation | undefined> {
  const key = readKey(SETUP_TOKEN_PREFIX, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const invitation = await findInvitationByToken(environmentId, key.hash);
  if (invitation === undefined) return undefined;
  const { id: organizationId, contactId, intents } = invitation;
  const [organization, contact] = await awaitAll([
    organizations.get(environmentId, organizationId),
    itContacts.get(environmentId, contactId, { organizationId }),
  ]);
  if (organization === undefined || contact === undefined) return undefined;
  return { environmentId, organizationId, contactId, email: contact.email, intents };
}

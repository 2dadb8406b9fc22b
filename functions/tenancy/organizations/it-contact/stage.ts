import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, type UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { itContacts } from './entity.ts';

/** The list has no pages, so its length is limited. */
export const MAX_CONTACTS = 100;

/** The unique email of a contact within its organization. */
export const emailOf = (environmentId: string, organizationId: string, email: string): UniqueValue => ({
  environmentId,
  kind: 'it-contact.email',
  value: `${organizationId}#${email}`,
});

/**
 * Stages IT contacts for the addresses that an organization does not have yet: one Query.
 * @returns what is wrong if the organization would have too many
 */
export async function stageItContacts(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  organizationId: string,
  emails: readonly string[],
): Promise<string | undefined> {
  if (emails.length === 0) return undefined;
  const known = await itContacts.list('primary', { environmentId, organizationId }).take(MAX_CONTACTS, 'desc');
  const added = emails.filter((email) => known.every((contact) => contact.email !== email));
  if (known.length + added.length > MAX_CONTACTS) return `the organization can have ${MAX_CONTACTS} IT contacts`;
  for (const email of added) {
    const id = newId('it_contact');
    const owner = ownerKey('organization', organizationId);
    unit.stage(itContacts.create({ environmentId, id, owner, organizationId, email }).write);
    unit.stage(claim(emailOf(environmentId, organizationId, email), id, owner));
  }
  return undefined;
}

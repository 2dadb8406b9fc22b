import { newId } from '../../../kernel/ids.ts';
import { envelopes } from '../../../kernel/keys/shared.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import { claim, findHolder, type UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import type { ConnectionIdentity } from '../sign-in/identity.ts';
import { type ProfileRecord, profiles } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The connection to which a profile belongs. */
export interface ProfilePlace {
  environmentId: string;
  connectionId: string;
  organizationId?: string | undefined;
  /** The issuer of a social provider's account. One provider can have several issuers. */
  issuer?: string | undefined;
}

/** The unique value that prevents a second profile of the same person in a connection. */
export const makePerson = ({ environmentId, connectionId, issuer }: ProfilePlace, idpId: string): UniqueValue => ({
  environmentId,
  kind: 'sso.profile',
  value: `${connectionId} ${sha256Hex(issuer === undefined ? idpId : JSON.stringify([issuer, idpId]))}`,
});

const makeScope = ({ environmentId, organizationId }: Pick<ProfilePlace, 'environmentId' | 'organizationId'>) => ({
  environmentId,
  ...(organizationId === undefined ? {} : { organizationId }),
  purpose: keyPurpose('sso-profile'),
});

/** Stages the profile of an identity, new or existing, so that its id stays the same. It takes two reads in sequence. */
export async function stageProfile(
  unit: Pick<Unit, 'stage'>,
  place: ProfilePlace,
  { idpId, email, sessionId, idToken }: ConnectionIdentity,
): Promise<ProfileRecord> {
  const { environmentId, connectionId, organizationId } = place;
  const person = makePerson(place, idpId);
  const holder = await findHolder(person);
  const former = holder === undefined ? undefined : await profiles.get(environmentId, holder);
  const id = former?.id ?? newId('prof');
  const sealedIdToken = idToken === undefined ? undefined : await envelopes().seal(makeScope(place), id, idToken);
  const seen = { email, sessionId, sealedIdToken };
  const owner = organizationId === undefined ? ENVIRONMENT_OWNER : ownerKey('organization', organizationId);
  if (former !== undefined) {
    const { record, write } = profiles.revise(former, seen);
    unit.stage(write);
    return record;
  }
  const { record, write } = profiles.create({ environmentId, id, owner, connectionId, organizationId, idpId, ...seen });
  unit.stage([write, claim(person, id, owner)]);
  return record;
}

/** Decrypts the ID token of a profile's last sign-in; undefined if there is none. */
export async function openIdToken(record: ProfileRecord): Promise<string | undefined> {
  if (record.sealedIdToken === undefined) return undefined;
  return envelopes().openText(makeScope(record), record.id, record.sealedIdToken as Uint8Array);
}

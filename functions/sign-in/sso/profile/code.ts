import { awaitAll } from '../../../kernel/concurrency.ts';
import type { AuthorizationRequest, OAuthTokens } from '../../modules/sign-in-flows/public.ts';
import { rolesOfGroups } from '../../../tenancy/modules/group-roles/public.ts';
import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { userManagementSettings } from '../../../tenancy/modules/users/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { findConnection, isSocial } from '../connection/find.ts';
import { settingsIn } from '../connection/settings.ts';
import type { ConnectionType } from '../connection/types.ts';
import { ssoSettings } from '../settings.ts';
import type { ConnectionIdentity } from '../sign-in/identity.ts';
import { OUTSIDE, SsoRejected } from '../sign-in/person.ts';
import { ownsAddress } from '../../../tenancy/modules/trust/public.ts';
import { type ProfileCodeRecord, profileCodes, profiles, profileTokens } from './entity.ts';
import { presentProfile, type PresentedProfile } from './schema.ts';
import { stageProfile } from './stage.ts';

const CODE = 'sso_code_';
const TOKEN = 'sso_token_';
const CODE_LIFE_MS = 600_000;
const KEPT_SECONDS = 86_400;

/** Time in seconds for which the access token of a profile is valid. */
export const TOKEN_SECONDS = 600;

/** The profile and tokens for which a code is exchanged. */
export interface Grant {
  profile: PresentedProfile;
  tokens?: OAuthTokens | undefined;
}

const codeInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `sso-code ${environmentId} ${id}`;
const tokenInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `sso-token ${environmentId} ${id}`;

/** Stages a code for a profile, which is valid for one exchange within ten minutes. */
export function stageCode(
  unit: Pick<Unit, 'stage'>,
  { environmentId, redirectUri, codeChallenge }: AuthorizationRequest,
  grant: Grant,
): string {
  const { value, hash } = mintKey(CODE, readUlid(environmentId));
  const own = { environmentId, id: hash };
  const validUntil = clock.now() + CODE_LIFE_MS;
  const { write } = profileCodes.create({
    ...own,
    validUntil,
    expiresAt: Math.ceil(validUntil / 1_000) + KEPT_SECONDS,
    redirectUri,
    codeChallenge,
    sealed: derivedSeal([value], codeInfo(own), JSON.stringify(grant)),
  });
  unit.stage(write);
  return value;
}

interface Issuing {
  flow: AuthorizationRequest;
  record: ConnectionRecord;
  organization: OrganizationSummary;
  identity: ConnectionIdentity;
}

/**
 * Stages the profile of an identity at an organization's connection.
 * @throws SsoRejected for an address outside of the organization's domains
 */
export async function profileAt(
  unit: Pick<Unit, 'stage'>,
  { record, organization, identity }: Omit<Issuing, 'flow'>,
): Promise<PresentedProfile> {
  const { environmentId, organizationId, id: connectionId } = record;
  if (!ownsAddress(organization, identity.email) && !(await allowsAny(organization, environmentId))) {
    throw new SsoRejected(OUTSIDE, 'The address is outside of the organization’s verified domains.');
  }
  const [profile, { multiple_roles: multiple }] = await awaitAll([
    stageProfile(unit, { environmentId, connectionId, organizationId }, identity),
    findSettings(environmentId, userManagementSettings),
  ]);
  const roles = rolesOfGroups(environmentId, settingsIn(record).group_roles, identity.groups, { multiple });
  const type = record.type as ConnectionType;
  return presentProfile({ id: profile.id, organizationId, connectionId, type, roles }, identity);
}

/** Reports whether the environment or the organization allows profiles with email addresses of any domain. */
async function allowsAny({ id, presented }: OrganizationSummary, environmentId: string): Promise<boolean> {
  if (presented.allow_profiles_outside_organization === true) return true;
  const [environment, { policy }] = await awaitAll([
    findSettings(environmentId, ssoSettings),
    findOrganizationSso(environmentId, id),
  ]);
  return environment.email_domains === 'any' || policy.email_domains === 'any';
}

/** Stages the profile and the code of a sign-in. @throws SsoRejected for an address outside of the organization */
export async function issueProfileCode(unit: Pick<Unit, 'stage'>, issuing: Issuing): Promise<string> {
  const profile = await profileAt(unit, issuing);
  return stageCode(unit, issuing.flow, { profile, tokens: issuing.identity.tokens });
}

/** Reads a code, used or not, by one GetItem. Returns undefined if it is unknown or of another environment. */
export async function findCode(environmentId: string, code: string): Promise<ProfileCodeRecord | undefined> {
  const key = readKey(CODE, code);
  if (key === undefined || environmentIdOf(key.ulid) !== environmentId) return undefined;
  return profileCodes.get(environmentId, key.hash);
}

/** Decrypts the result of a code that was not used yet. */
export function openGrant(record: ProfileCodeRecord, code: string): Grant | undefined {
  if (record.sealed === undefined || record.validUntil <= clock.now()) return undefined;
  const opened = derivedOpen([code], codeInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as Grant;
}

/** Stages an access token with which a profile can be read. */
export function stageToken(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  profile: PresentedProfile,
): { token: string; id: string } {
  const named = `${readUlid(profile.id)}${readUlid(profile.connection_id)}`;
  const { value, hash } = mintKey(`${TOKEN}${named}_`, readUlid(environmentId));
  const own = { environmentId, id: hash };
  const sealed = derivedSeal([value], tokenInfo(own), JSON.stringify(profile));
  unit.stage(profileTokens.create({ ...own, sealed, expiresAt: clock.seconds() + TOKEN_SECONDS }).write);
  return { token: value, id: hash };
}

const PREFIX = new RegExp(`^(${TOKEN}([0-9A-Z]{26})([0-9A-Z]{26})_)`);

/**
 * Reads the profile of an access token, and whether it and its connection still exist: three GetItems in parallel, since the
 * token names both. The tokens of a deleted connection are invalid at once, before a worker has removed its profiles.
 * Undefined if the token is unknown, revoked or expired.
 */
export async function profileOfToken(
  token: string,
): Promise<{ profile: PresentedProfile; exists: boolean } | undefined> {
  const [, prefix = TOKEN, profileUlid = '', connectionUlid = ''] = PREFIX.exec(token) ?? [];
  const key = readKey(prefix, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const [record, current, connection] = await awaitAll([
    profileTokens.get(environmentId, key.hash),
    profiles.get(environmentId, `prof_${profileUlid}`),
    findConnection(environmentId, `conn_${connectionUlid}`),
  ]);
  if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const opened = derivedOpen([token], tokenInfo(record), record.sealed as Uint8Array);
  const profile = JSON.parse(Buffer.from(opened).toString('utf8')) as PresentedProfile;
  const isThere = connection !== undefined && (isSocial(connection) || connection.state !== 'deleting');
  return { profile, exists: current !== undefined && isThere };
}

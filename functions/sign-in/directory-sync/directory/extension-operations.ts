import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { crc32 } from '../../../kernel/crc32.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { newId } from '../../../kernel/ids.ts';
import { clock } from '../../../kernel/clock.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { isImportableKey } from '../../../kernel/storage/external-key.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { inBody, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { customAttributesChange } from '../user/remap.ts';
import { NO_COUNTS, readCounts } from './counts.ts';
import { directories, type DirectoryRecord, type DirectoryToken, findDirectory, tokenLocators } from './entity.ts';
import { findDirectoryOwner } from './find.ts';
import { directoryNotFound, externalKeyTaken, tokenNotFound, tokenTaken, tooManyTokens } from './errors.ts';
import {
  CreateDirectory,
  CreateToken,
  DirectoryDetails,
  NewToken,
  presentDetails,
  presentToken,
  tokenPayload,
  UpdateDirectory,
} from './schema.ts';
import { stageDirectory, stageDirectoryChange } from './stage.ts';

const MAX_TOKENS = 5;

/** Prefix of tokens, by which secret scanners recognize them. */
const TOKEN_PREFIX = 'scim_';

/** A new token of a directory: 256 random bits and a checksum. */
function newTokenValue(): string {
  const body = `${TOKEN_PREFIX}${randomSecret(32)}`;
  return body + crc32(body).toString(36).padStart(7, '0');
}

const present = (record: DirectoryRecord, counts = NO_COUNTS) =>
  presentDetails(record, counts, settings().GATEHOUSE_BASE_URL);

const createDirectory = operation({
  id: 'directories.create',
  method: 'POST',
  path: '/x/directories',
  summary: 'Create a directory',
  description:
    'Its state is `validating` until the provider’s first call or the first applied snapshot, then `linked`, with the event `dsync.activated`. Create a ' +
    'token, and configure the provider with the token and `scim_url`.',
  auth: keyOrGrant(inBody('organization_id')),
  operator: 'config.change',
  body: CreateDirectory,
  responses: { 201: DirectoryDetails },
  errors: [organizationNotFound, externalKeyTaken],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    if (body.external_key !== undefined && !isImportableKey(body.external_key)) {
      const message = 'must have 4 to 128 letters, digits, - and _, and not the form of a generated key';
      throw invalid([{ field: 'external_key', code: 'invalid_value', message }]);
    }
    const organization = await orFail(findOrganization(environmentId, body.organization_id), () =>
      fail(organizationNotFound),
    );
    const record = stageDirectory(
      unit,
      {
        environmentId,
        organizationId: organization.id,
        name: body.name,
        type: body.type,
        externalKey: body.external_key,
        inactiveUsers: body.inactive_users,
        provisioning: body.provisioning,
        customAttributes: body.custom_attributes,
        groupRoles: body.group_roles,
      },
      fail(externalKeyTaken),
    );
    return { status: 201, body: present(record) };
  },
});

const getDirectoryDetails = operation({
  id: 'directories.get_details',
  method: 'GET',
  path: '/x/directories/{id}',
  summary: 'Get a directory with its settings and tokens',
  auth: keyOrGrant(findDirectoryOwner),
  operator: 'config.read',
  // The number of users changes with every call of the provider.
  etag: ({ metadata: _, ...directory }) => directory,
  responses: { 200: DirectoryDetails },
  errors: [directoryNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, fail }) {
    const [record, counts] = await awaitAll([findDirectory(environmentId, id), readCounts(environmentId, [id])]);
    if (record === undefined) throw fail(directoryNotFound);
    return { status: 200, body: present(record, counts.get(id)) };
  },
});

const updateDirectory = operation({
  id: 'directories.update',
  method: 'PATCH',
  path: '/x/directories/{id}',
  summary: 'Update a directory',
  description:
    'Absent fields are unchanged. Calls of the provider use changed settings within five seconds. If custom attributes change, their values ' +
    'are computed again for all users in the background, and each user with another value has the event `dsync.user.updated`.',
  auth: keyOrGrant(findDirectoryOwner),
  operator: 'config.change',
  body: UpdateDirectory,
  ifMatch: getDirectoryDetails,
  responses: { 200: DirectoryDetails },
  errors: [directoryNotFound],
  emits: ['dsync.activated'],
  idempotency: 'none',
  async handle({ environmentId, params: { id }, body, unit, fail }) {
    const [former, counts] = await awaitAll([findDirectory(environmentId, id), readCounts(environmentId, [id])]);
    if (former === undefined) throw fail(directoryNotFound);
    const organization = await findOrganization(environmentId, former.organizationId);
    const state = body.state === undefined ? former.state : body.state === 'linked' ? 'active' : 'inactive';
    const record = stageDirectoryChange(
      unit,
      former,
      {
        name: body.name ?? former.name,
        type: body.type ?? former.type,
        state,
        inactiveUsers: body.inactive_users ?? former.inactiveUsers,
        provisioning: body.provisioning ?? former.provisioning,
        customAttributes: { ...former.customAttributes, ...body.custom_attributes },
        groupRoles: body.group_roles ?? former.groupRoles,
      },
      organization,
    );
    const { custom_attributes: paths, group_roles: roles, provisioning, inactive_users: inactive } = body;
    if ([paths, roles, provisioning, inactive].some((value) => value !== undefined)) {
      const owner = ownerKey('organization', record.organizationId);
      customAttributesChange.stage(unit, environmentId, { directoryId: id }, owner);
    }
    return { status: 200, body: present(record, counts.get(id)) };
  },
});

const createToken = operation({
  id: 'directory_tokens.create',
  method: 'POST',
  path: '/x/directories/{id}/tokens',
  summary: 'Create a token of a directory',
  description:
    'The value is shown only in this response. A directory has at most five tokens, so that one can be replaced without a gap.',
  auth: keyOrGrant(findDirectoryOwner),
  operator: 'secrets.write',
  body: CreateToken,
  bodyOptional: true,
  responses: { 201: NewToken },
  errors: [directoryNotFound, tooManyTokens, tokenTaken],
  emits: ['dsync.token.created'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const directory = await orFail(findDirectory(environmentId, params.id), () => fail(directoryNotFound));
    if (directory.tokens.length >= MAX_TOKENS) throw fail(tooManyTokens);
    const value = body.value ?? newTokenValue();
    const token: DirectoryToken = {
      id: newId('directory_token'),
      hash: sha256Hex(value),
      suffix: value.slice(-4),
      createdAt: clock.timestamp(),
      endsAt: body.expires_at ?? undefined,
    };
    const { organizationId } = directory;
    const owner = ownerKey('organization', organizationId);
    unit.stage(directories.revise(directory, { tokens: [...directory.tokens, token] }).write);
    const locator = tokenLocators.create({ environmentId, id: token.hash, directoryId: directory.id, owner });
    unit.stage(locator.write, fail(tokenTaken));
    unit.emit('dsync.token.created', tokenPayload(directory, token), { organizationId });
    return { status: 201, body: { ...presentToken(directory, token), value } };
  },
});

const revokeToken = operation({
  id: 'directory_tokens.delete',
  method: 'DELETE',
  path: '/x/directories/{id}/tokens/{tokenId}',
  summary: 'Revoke a token of a directory',
  description: 'SCIM calls with the token are rejected at most five seconds later.',
  auth: keyOrGrant(findDirectoryOwner),
  operator: 'secrets.write',
  responses: { 204: null },
  errors: [directoryNotFound, tokenNotFound],
  emits: ['dsync.token.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const directory = await orFail(findDirectory(environmentId, params.id), () => fail(directoryNotFound));
    const token = directory.tokens.find(({ id }) => id === params.tokenId);
    if (token === undefined) throw fail(tokenNotFound);
    const tokens = directory.tokens.filter((each) => each !== token);
    unit.stage([directories.revise(directory, { tokens }).write, tokenLocators.removeByKey({ id: token.hash })]);
    unit.emit('dsync.token.revoked', tokenPayload(directory, token), { organizationId: directory.organizationId });
    return { status: 204 };
  },
});

/** Operations on directories that the contract does not have. */
export const directoryExtensionOperations = [
  createDirectory,
  getDirectoryDetails,
  updateDirectory,
  createToken,
  revokeToken,
] as const;

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { addressAndFactor } from '../../../kernel/authentication/takeover-guard.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { FactorReset, presentReset, stageReset } from '../../modules/factor-resets/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { findRelyingParty } from '../relying-party.ts';
import { findOwnerOfCredential, findPasskeys, type PasskeyRecord, passkeys } from './entity.ts';
import { credentialTaken, passkeyNotFound, tooManyPasskeys } from './errors.ts';
import { readImported } from './imported.ts';
import { ImportPasskey, ListPasskeys, Passkey, PasskeyList, presentPasskey, RenamePasskey } from './schema.ts';
import { stagePasskey, stagePasskeyName, stageRemovalOfPasskey } from './stage.ts';

const present = (record: PasskeyRecord) => presentPasskey(record, findRelyingParty()?.id);

export const listPasskeys = operation({
  id: 'passkeys.list',
  method: 'GET',
  path: '/x/passkeys',
  summary: 'List the passkeys of a user',
  auth: apiKey,
  query: ListPasskeys,
  responses: { 200: PasskeyList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { user_id: userId } = query;
    const [user, owned] = await awaitAll([findUser(environmentId, userId), findPasskeys(environmentId, userId)]);
    if (user === undefined) throw fail(userNotFound);
    return { status: 200, body: await readPage(query, async (window) => pageWithin(owned, window), present) };
  },
});

export const importPasskey = operation({
  id: 'passkeys.import',
  method: 'POST',
  path: '/x/passkeys',
  summary: 'Import a passkey of a user from another service',
  description:
    'Browsers bind a passkey to its domain (`rp_id`), so an imported one works only if this service has that domain. ' +
    'The user is not notified. A user has at most twenty passkeys.',
  auth: apiKey,
  body: ImportPasskey,
  responses: { 201: Passkey },
  errors: [userNotFound, tooManyPasskeys, credentialTaken],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const [user, owner] = await awaitAll([
      findUser(environmentId, body.user_id),
      findOwnerOfCredential(environmentId, body.credential_id),
    ]);
    if (user === undefined) throw fail(userNotFound);
    if (owner !== undefined) throw fail(credentialTaken);
    const { authenticators } = await import('../ceremony/apart.ts');
    if (!authenticators.isPublicKey(body.public_key)) {
      const message = 'is not a COSE key for EdDSA, ES256 or RS256 (RFC 9053, RFC 8812)';
      throw invalid([{ field: 'public_key', code: 'invalid_public_key', message }]);
    }
    const rpId = body.rp_id ?? findRelyingParty()?.id;
    if (rpId === undefined) {
      throw invalid([{ field: 'rp_id', code: 'required', message: 'is required, because this service has no domain' }]);
    }
    const content = readImported(body, rpId);
    const record = await orFail(
      stagePasskey(unit, user, content, { otherwise: fail(credentialTaken), isSilent: true }),
      () => fail(tooManyPasskeys),
    );
    return { status: 201, body: present(record) };
  },
});

export const getPasskey = operation({
  id: 'passkeys.get',
  method: 'GET',
  path: '/x/passkeys/{id}',
  summary: 'Get a passkey',
  auth: apiKey,
  responses: { 200: Passkey },
  errors: [passkeyNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(passkeys.get(environmentId, params.id), () => fail(passkeyNotFound));
    return { status: 200, body: present(found) };
  },
});

export const renamePasskey = operation({
  id: 'passkeys.update',
  method: 'PUT',
  path: '/x/passkeys/{id}',
  summary: 'Rename a passkey',
  auth: apiKey,
  operator: 'people.support',
  body: RenamePasskey,
  responses: { 200: Passkey },
  errors: [passkeyNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const found = await orFail(passkeys.get(environmentId, params.id), () => fail(passkeyNotFound));
    return { status: 200, body: present(stagePasskeyName(unit, found, body.name)) };
  },
});

export const deletePasskey = operation({
  id: 'passkeys.delete',
  method: 'DELETE',
  path: '/x/passkeys/{id}',
  summary: 'Delete a passkey',
  description:
    'The user can no longer sign in with it. Browsers continue to offer it until the user removes it from the browser or the password manager. ' +
    'For an operator of the console the response may be 202 with a reset that takes effect later, as for [factors](/docs/mfa/auth-factors).',
  auth: apiKey,
  operator: 'people.support',
  operatorLimit: 'resets',
  responses: { 204: null, 202: FactorReset },
  errors: [passkeyNotFound, addressAndFactor],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, caller, params, unit, fail }) {
    const found = await orFail(passkeys.get(environmentId, params.id), () => fail(passkeyNotFound));
    const { id, userId } = found;
    const reset = await stageReset(unit, caller, { kind: 'passkey', id, userId });
    if (reset !== undefined) return { status: 202 as const, body: presentReset(reset) };
    await stageRemovalOfPasskey(unit, found);
    return { status: 204 };
  },
});

export const passkeyOperations = [listPasskeys, importPasskey, getPasskey, renamePasskey, deletePasskey] as const;
